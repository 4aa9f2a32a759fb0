//! Plans the next steps from three trees: the local folder as seen, the drive as seen, and the records that both last
//! agreed on.
//!
//! Pure. A plan is made in stages (moves, reading, folders, places of files, contents, deletions), and the first stage
//! that has something to do is the plan: it is carried out, and a new plan is made. So deletions come only when nothing
//! else is left to do, and any prefix of a plan is safe. Always true: an edited file's old version is deleted after its
//! new one has arrived; a person's file is never overwritten: of two contents for one place one gets another name; a
//! drive file is deleted only when no other local path needs its content. Not here: carrying out (`engine`).

pub(crate) mod agreeing;
mod contents;
mod copies;
mod deletions;
mod difference;
mod exchange;
mod folders;
mod id_map;
mod index;
mod input;
mod moves;
mod part;
mod places;
pub mod preview;
mod step;
#[cfg(test)]
mod tests;
mod view;

pub use difference::{Difference, Guard, Note};
pub use input::{DeletionRule, Ignores, Input, Mode, Settings};
pub use step::{Left, Op, Plan};

pub use crate::shared::names;
#[cfg(any(test, feature = "planted-bugs"))]
use crate::sync::tree::{Agreed, Local, Remote};
use part::Part;
pub use part::{Unneeded, find_lookup, find_unneeded};
use view::View;

/// Plans the next steps.
#[must_use]
pub fn plan(input: &Input<'_>) -> Plan {
    plan_part(input, Part::choose(input))
}

/// The same plan, found by going through everything that is the same as well: [`plan`] is checked against it.
#[cfg(any(test, feature = "planted-bugs"))]
#[must_use]
pub fn plan_whole(input: &Input<'_>) -> Plan {
    plan_part(input, Part::whole(input))
}

/// The same plan, made from trees that have nothing but the part.
#[cfg(any(test, feature = "planted-bugs"))]
#[must_use]
pub fn plan_reduced(input: &Input<'_>) -> Plan {
    let part = Part::choose(input);
    let local =
        Local { items: part.items.iter().map(|(path, item)| (path.clone(), *item)).collect(), ..input.local.clone() };
    let files = part.files.iter().map(|(id, file)| (*id, file.clone())).collect();
    let remote = Remote { files, ..input.remote.clone() };
    let agreed = Agreed { records: part.records.iter().map(|(path, record)| (path.clone(), record.clone())).collect() };
    let reduced = Input { local: &local, remote: &remote, agreed: &agreed, ..*input };
    let mut whole = Part::whole(&reduced);
    whole.left_out = part.left_out;
    plan_part(&reduced, whole)
}

fn plan_part<'a>(input: &Input<'a>, part: Part<'a>) -> Plan {
    let view = View::new(*input, part);
    if let Some(guard) = deletions::check_roots(&view).or_else(|| deletions::check_time(&view)) {
        return Plan { guard: Some(guard), ..Plan::default() };
    }
    if view.is_partial() && deletions::has_unasked_return(&view) {
        // Nothing is done before the person is asked, and the question is about everything.
        return Plan::default();
    }
    let skipped = input.local.skipped.iter();
    let notes = skipped.map(|(path, why)| Note { path: path.clone(), difference: Difference::Skipped(*why) }).collect();
    let mut plan = Plan { notes, ..Plan::default() };
    let stages =
        [moves::follow, moves::read, copies::retire_replaced, folders::arrange, places::arrange, contents::exchange];
    for stage in stages {
        stage(&view, &mut plan);
        if !plan.ops.is_empty() {
            return plan;
        }
    }
    if view.is_partial() {
        return plan;
    }
    deletions::delete(&view, &mut plan);
    if plan.ops.is_empty() && plan.guard.is_none() {
        contents::send_waiting(&view, &mut plan);
    }
    if plan.ops.is_empty() && plan.guard.is_none() {
        places::name_left_aside(&view, &mut plan);
    }
    plan
}
