//! Describing a design, and changing one in words.
//!
//! Always true: a request is answered at once with its task as the page knows it, and carried out in the background; a
//! double click makes one. Files that are still on their way are waited for. Not here: carrying it out (`tasks`).

use easel_wire::tasks::{AttachmentRole, Category, Format, PAGES, PROMPT_CHARS, StartTask, TaskAttachment};

use super::attachments::AttachmentRef;
use super::generation::Generation;
use super::read_design;
use super::views::{DesignDraft, DesignFormat};
use crate::brand_kits::read_kit;
use crate::drive::reading::{read_folder, read_name};
use crate::messages;
use crate::problem::Problem;
use crate::tasks::views::TaskView;
use crate::tasks::work::{Along, DesignRequest};

/// What to make, as a person typed it, without the blanks around it.
pub(super) fn read_prompt(typed: &str) -> Result<String, Problem> {
    let prompt = typed.trim();
    let fits = PROMPT_CHARS.contains(&prompt.chars().count());
    if fits { Ok(prompt.to_owned()) } else { Err(messages::problem("prompt_not_usable", &[])) }
}

fn read_format(format: Option<DesignFormat>) -> Option<Format> {
    format.map(|format| Format {
        category: Some(Category::from(format.category.as_str())),
        width: format.width,
        height: format.height,
        label: format.label,
        page_count: None,
    })
}

/// What a draft asks for, and the transfers that it waits for.
fn read_draft(draft: DesignDraft) -> Result<(StartTask, Vec<i64>), Problem> {
    if draft.page_count.is_some_and(|pages| !PAGES.contains(&pages)) {
        return Err(messages::problem("page_count_not_usable", &[]));
    }
    let mut attachments = Vec::new();
    let mut transfers = Vec::new();
    for id in &draft.attachment_ids {
        match AttachmentRef::read(id)? {
            AttachmentRef::File(file) => attachments.push(TaskAttachment {
                file_id: Some(file),
                url: None,
                role: Some(AttachmentRole::Source),
                label: None,
            }),
            AttachmentRef::Transfer(transfer) => transfers.push(transfer),
        }
    }
    let references = draft.reference_design_ids.iter().map(|id| read_design(id)).collect::<Result<Vec<_>, _>>()?;
    let name = draft.name.as_deref().map(str::trim).filter(|name| !name.is_empty());
    let callback_url = draft.callback_url.map(|url| url.trim().to_owned()).filter(|url| !url.is_empty());
    let request = StartTask {
        prompt: read_prompt(&draft.prompt)?,
        format: read_format(draft.format),
        canvas_name: name.map(read_name).transpose()?.map(str::to_owned),
        brand_kit_id: draft.brand_kit_id.as_deref().map(read_kit).transpose()?,
        skip_brand_kit: draft.skip_brand_kit.then_some(true),
        number_of_slides: draft.page_count,
        attachments: (!attachments.is_empty()).then_some(attachments),
        reference_canvas_ids: (!references.is_empty()).then_some(references),
        callback_url,
        ..StartTask::default()
    };
    Ok((request, transfers))
}

impl Generation {
    /// Asks for a design. The answer comes at once; how it goes is told by `tasks_changed`.
    ///
    /// # Errors
    /// `prompt_not_usable`, `page_count_not_usable`, `attachment_unknown`, `brand_kit_not_found`, `folder_not_found`,
    /// `too_much_begun`, `data_unwritable`, `no_connection`.
    pub async fn describe_design(&self, draft: DesignDraft) -> Result<TaskView, Problem> {
        let connection = self.connections.selected()?;
        let folder = read_folder(draft.folder_id.as_deref())?;
        let key = format!("{} describe {draft:?}", connection.id);
        let (request, transfers) = read_draft(draft)?;
        let callback_url = request.callback_url.or_else(|| self.receiver.address_for(&connection));
        let request = StartTask { callback_url, ..request };
        let along = Along { folder_id: folder, transfers, is_quiet: false };
        let begin = async { self.tasks.begin_work(&connection, DesignRequest::Task(Box::new(request)), along) };
        self.inner.coalescer.once(key, begin).await
    }

    /// Asks for a change to a design, in place. The answer comes at once; how it goes is told by `tasks_changed`.
    ///
    /// # Errors
    /// `prompt_not_usable`, `canvas_not_found`, `too_much_begun`, `data_unwritable`, `no_connection`.
    pub async fn edit_design(&self, design_id: String, prompt: String) -> Result<TaskView, Problem> {
        let canvas_id = read_design(&design_id)?;
        let prompt = read_prompt(&prompt)?;
        let connection = self.connections.selected()?;
        let key = format!("{} edit {canvas_id} {prompt}", connection.id);
        let callback_url = self.receiver.address_for(&connection);
        let request = StartTask { prompt, canvas_id: Some(canvas_id), callback_url, ..StartTask::default() };
        let begin =
            async { self.tasks.begin_work(&connection, DesignRequest::Task(Box::new(request)), Along::default()) };
        self.inner.coalescer.once(key, begin).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft() -> DesignDraft {
        DesignDraft {
            prompt: " A lighthouse ".to_owned(),
            format: None,
            page_count: None,
            name: None,
            brand_kit_id: None,
            skip_brand_kit: false,
            attachment_ids: Vec::new(),
            reference_design_ids: Vec::new(),
            folder_id: None,
            callback_url: None,
        }
    }

    #[test]
    fn a_draft_becomes_a_request_without_what_was_left_empty() {
        let plain = StartTask { prompt: "A lighthouse".to_owned(), ..StartTask::default() };
        let empty = DesignDraft { name: Some(" ".to_owned()), callback_url: Some(String::new()), ..draft() };
        for draft in [draft(), empty] {
            assert_eq!(read_draft(draft).unwrap(), (plain.clone(), Vec::new()));
        }
        let file = "file_00000000000000000000000000";
        let attached = DesignDraft { attachment_ids: vec![file.to_owned(), "transfer_7".to_owned()], ..draft() };
        let (request, transfers) = read_draft(attached).unwrap();
        assert_eq!(request.attachments.unwrap()[0].file_id.unwrap().to_string(), file);
        assert_eq!(transfers, [7]);
    }

    #[test]
    fn what_cannot_be_asked_for_is_refused_before_it_is_sent() {
        let check = |draft: DesignDraft, code: &str| assert_eq!(read_draft(draft).unwrap_err().code, code);
        check(DesignDraft { prompt: " \n".to_owned(), ..draft() }, "prompt_not_usable");
        check(DesignDraft { prompt: "x".repeat(20_001), ..draft() }, "prompt_not_usable");
        check(DesignDraft { page_count: Some(0), ..draft() }, "page_count_not_usable");
        check(DesignDraft { page_count: Some(61), ..draft() }, "page_count_not_usable");
        check(DesignDraft { attachment_ids: vec![String::new()], ..draft() }, "attachment_unknown");
        check(DesignDraft { brand_kit_id: Some(String::new()), ..draft() }, "brand_kit_not_found");
        check(DesignDraft { reference_design_ids: vec!["..".to_owned()], ..draft() }, "canvas_not_found");
        check(DesignDraft { name: Some("a/b".to_owned()), ..draft() }, "name_not_usable");
    }
}
