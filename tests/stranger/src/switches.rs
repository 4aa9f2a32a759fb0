//! A set of switches that can be on together.
//!
//! Always true here: no set holds two switches that exclude each other. Which do is a table, because only what cannot
//! be answered both ways excludes; a switch that another makes invisible does not.

use std::collections::BTreeSet;
use std::fmt;

use crate::switch::Switch;

/// Of each group, one at most: they answer one question differently.
const EXCLUSIVE: &[&[Switch]] = &[
    &[Switch::IdSuffixMixedCase, Switch::IdSuffixLong, Switch::IdSuffixHyphenated, Switch::IdSuffixDigits],
    // Without the record nothing tells a client of another ceiling than the specification's.
    &[Switch::DirectCeilingSmall, Switch::LimitsMissing],
    &[Switch::MultipartIgnoresFolder, Switch::MultipartRefusesFolder],
    &[Switch::RegisterRefusesOtherFields, Switch::RegisterTakesKeyAlone, Switch::RegisterIgnoresFolder],
    &[Switch::ResultOfSixFields, Switch::ResultOfTwoFields],
    &[Switch::SecondNameAllowed, Switch::SecondNameRefused],
    &[Switch::NamesNotUnique, Switch::SecondNameRefused],
    &[Switch::ContentHashMissing, Switch::ContentHashOfAnotherKind],
    &[Switch::UpdatedSinceIgnored, Switch::UpdatedSinceRefused, Switch::UpdatedSinceMissesChanges],
    &[Switch::SortIgnored, Switch::SortRefused, Switch::SortLies],
    &[Switch::TotalMissing, Switch::TotalOfThePage],
    &[Switch::ListsOf50To200, Switch::ListsRefuseAbove50, Switch::ListsClampTo50],
    &[Switch::PagesByOffset, Switch::PagesOfEverything],
    &[Switch::CursorsExpireAs410, Switch::CursorsExpireAs400],
    &[Switch::ListsUnderResourceName, Switch::ListsBare],
    &[Switch::ConflictNamesFolder, Switch::ConflictWithoutDetails],
    &[Switch::DownloadNamesUrl, Switch::DownloadRedirects, Switch::DownloadIsTheBytes],
    &[Switch::ChangesAnswerItem, Switch::ChangesAnswerEmpty],
    &[Switch::TasksDoneAtOnce, Switch::TasksGoBack],
    &[Switch::ExportsOfUrlAndFormat, Switch::ExportsInProgressUntimed],
    &[Switch::KitsUnchangeable405, Switch::KitsUnchangeable404],
    &[Switch::EventSpellingsRetired, Switch::EventTypesUnknown],
    &[Switch::ErrorsFlat, Switch::ErrorsText, Switch::ErrorsNoEnvelope],
    &[Switch::RetryAfterMissing, Switch::RetryAfterDate],
    &[Switch::KeyLacksScopes, Switch::KeyLacksScopesSilently],
    &[Switch::MissingRoutesInEnvelopes, Switch::MissingRoutesInJson],
    &[Switch::OptionalFieldsMissing, Switch::OptionalFieldsNull],
    &[Switch::TimesZulu, Switch::TimesOffset, Switch::TimesUnix],
    &[Switch::NewerVersionRefused, Switch::OlderVersionRetired],
    // Where only the newer version is left, nobody answers in the shape of the older.
    &[Switch::OlderVersionRetired, Switch::OlderShapeAnyway],
];

impl Switch {
    /// The switches that cannot be on beside this one.
    #[must_use]
    pub fn conflicts_with(self) -> BTreeSet<Self> {
        EXCLUSIVE
            .iter()
            .filter(|group| group.contains(&self))
            .flat_map(|group| group.iter().copied())
            .filter(|other| *other != self)
            .collect()
    }
}

/// Switches that are on together.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Switches(BTreeSet<Switch>);

impl Switches {
    /// None is on: everything is as the contract's main part says.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// Exactly these.
    ///
    /// # Panics
    /// Where two of them exclude each other.
    #[must_use]
    pub fn of(switches: &[Switch]) -> Self {
        let mut set = Self::none();
        for switch in switches {
            set.turn_on(*switch).unwrap_or_else(|conflict| panic!("{conflict}"));
        }
        set
    }

    /// As many as fit, those that come first before those that exclude them.
    pub fn fitting(switches: impl IntoIterator<Item = Switch>) -> Self {
        let mut set = Self::none();
        for switch in switches {
            // What does not fit stays off: that is the point.
            let _ = set.turn_on(switch);
        }
        set
    }

    /// A maximal set: of those that exclude each other, the first of [`Switch::ALL`].
    #[must_use]
    pub fn all_against() -> Self {
        Self::fitting(Switch::ALL.iter().copied())
    }

    /// A set by lot, the same for the same `seed`: each switch is on with one chance in two, and those that exclude
    /// each other are asked in an order by lot.
    #[must_use]
    pub fn drawn(seed: u64) -> Self {
        let mut state = seed;
        let mut draw = || {
            // SplitMix64: enough for a lot, and the same everywhere.
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            mixed ^ (mixed >> 31)
        };
        let mut chosen = Switch::ALL.iter().map(|switch| (draw(), *switch)).collect::<Vec<_>>();
        chosen.retain(|_| draw() & 1 == 1);
        chosen.sort_unstable();
        Self::fitting(chosen.into_iter().map(|(_, switch)| switch))
    }

    /// Few sets, by lot, in which every two switches meet in every way they can: both on where they do not exclude each
    /// other, one of them, the other, and neither. The same for the same `seed`.
    #[must_use]
    pub fn covering(seed: u64) -> Vec<Self> {
        let mut meetings = Meetings::new();
        let (mut chosen, mut seed) = (Vec::new(), seed);
        while meetings.left > 0 {
            let candidates = (0..CANDIDATES).map(|_| {
                seed = seed.wrapping_add(1);
                Self::drawn(seed)
            });
            let Some(best) = candidates.max_by_key(|set| meetings.new_in(set)) else { break };
            if meetings.meet(&best) > 0 {
                chosen.push(best);
            }
        }
        chosen
    }

    /// Turns one on.
    ///
    /// # Errors
    /// Where one that is on excludes it, which then stays off.
    pub fn turn_on(&mut self, switch: Switch) -> Result<(), String> {
        if let Some(other) = switch.conflicts_with().into_iter().find(|other| self.has(*other)) {
            return Err(format!("`{switch}` excludes `{other}`"));
        }
        self.0.insert(switch);
        Ok(())
    }

    /// Turns one off.
    pub fn turn_off(&mut self, switch: Switch) {
        self.0.remove(&switch);
    }

    /// Whether it is on.
    #[must_use]
    pub fn has(&self, switch: Switch) -> bool {
        self.0.contains(&switch)
    }

    /// Whether one of them is on.
    #[must_use]
    pub(crate) fn any(&self, switches: &[Switch]) -> bool {
        switches.iter().any(|switch| self.has(*switch))
    }

    /// Those that are on.
    pub fn iter(&self) -> impl Iterator<Item = Switch> {
        self.0.iter().copied()
    }

    /// How many are on.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether none is on.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Switches {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.iter().map(|switch| switch.to_string()).collect::<Vec<_>>();
        formatter.write_str(&names.join(" "))
    }
}

/// Sets that are drawn for each one that is kept, to keep few.
const CANDIDATES: usize = 16;

/// Which two switches have met, and how: both off, one on, the other on, both on.
struct Meetings {
    met: Vec<[bool; 4]>,
    left: usize,
}

impl Meetings {
    fn new() -> Self {
        let count = Switch::ALL.len();
        let mut meetings = Self { met: vec![[false; 4]; count * count], left: 0 };
        for (one, switch) in Switch::ALL.iter().enumerate() {
            let excluded = switch.conflicts_with();
            for (other, with) in Switch::ALL.iter().enumerate().skip(one + 1) {
                // What cannot be counts as met.
                meetings.met[one * count + other][3] = excluded.contains(with);
                meetings.left += if excluded.contains(with) { 3 } else { 4 };
            }
        }
        meetings
    }

    /// The places of the meetings in a set.
    fn places(set: &Switches) -> impl Iterator<Item = (usize, usize)> {
        let on = Switch::ALL.iter().map(|switch| set.has(*switch)).collect::<Vec<_>>();
        let count = on.len();
        (0..count).flat_map(move |one| {
            let on = on.clone();
            (one + 1..count).map(move |other| (one * count + other, usize::from(on[one]) * 2 + usize::from(on[other])))
        })
    }

    fn new_in(&self, set: &Switches) -> usize {
        Self::places(set).filter(|(pair, way)| !self.met[*pair][*way]).count()
    }

    fn meet(&mut self, set: &Switches) -> usize {
        let mut new = 0;
        for (pair, way) in Self::places(set) {
            new += usize::from(!std::mem::replace(&mut self.met[pair][way], true));
        }
        self.left -= new;
        new
    }
}
