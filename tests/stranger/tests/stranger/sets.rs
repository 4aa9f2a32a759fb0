//! Sets of switches: their names, what excludes what, and sets by lot.

use std::collections::BTreeSet;

use easel_stranger::{Switch, Switches};
use proptest::prelude::*;
use proptest::sample::subsequence;

#[test]
fn every_switch_has_a_name_that_is_read_back() {
    for switch in Switch::ALL {
        assert_eq!(switch.to_string().parse(), Ok(*switch));
    }
    assert_eq!(Switch::DeletesAnswer204.to_string(), "deletes-answer-204");
    assert!("no-such-switch".parse::<Switch>().is_err());
}

#[test]
fn what_excludes_is_excluded() {
    for switch in Switch::ALL {
        for other in switch.conflicts_with() {
            assert!(other.conflicts_with().contains(switch), "{switch} {other}");
            let mut set = Switches::of(&[*switch]);
            assert!(set.turn_on(other).is_err(), "{switch} {other}");
        }
    }
}

#[test]
fn all_against_leaves_out_only_what_is_excluded() {
    let all = Switches::all_against();
    for switch in Switch::ALL.iter().filter(|switch| !all.has(**switch)) {
        assert!(switch.conflicts_with().into_iter().any(|other| all.has(other)), "{switch}");
    }
}

#[test]
fn few_sets_hold_every_pair_in_every_way() {
    let sets = Switches::covering(1);
    println!("{} sets", sets.len());
    assert!(sets.len() < 60, "{}", sets.len());
    for (index, one) in Switch::ALL.iter().enumerate() {
        for other in &Switch::ALL[index + 1..] {
            let ways = sets.iter().map(|set| (set.has(*one), set.has(*other))).collect::<BTreeSet<_>>();
            let expected = if one.conflicts_with().contains(other) { 3 } else { 4 };
            assert_eq!(ways.len(), expected, "{one} {other}");
        }
    }
}

proptest! {
    #[test]
    fn a_set_never_holds_two_that_exclude_each_other(chosen in subsequence(Switch::ALL, 0..Switch::ALL.len())) {
        let set = Switches::fitting(chosen.iter().copied());
        for switch in set.iter() {
            prop_assert!(chosen.contains(&switch));
            prop_assert!(!switch.conflicts_with().into_iter().any(|other| set.has(other)));
        }
    }

    #[test]
    fn a_set_by_lot_is_the_same_for_the_same_seed(seed: u64) {
        prop_assert_eq!(Switches::drawn(seed), Switches::drawn(seed));
    }
}
