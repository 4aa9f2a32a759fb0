//! The typefaces that designs are set in, for a program that shows samples of them.
//!
//! Not here: those of the system, which a design gets only for letters that none of these has.

/// The families for words of the Latin script, by name.
#[must_use]
pub fn families() -> Vec<&'static str> {
    easel_canvas::fonts::latin_families()
}

/// The font file of a family that is nearest to a weight (100 to 900); `None` where the family is not shipped.
#[must_use]
pub fn file(family: &str, weight: u16) -> Option<&'static [u8]> {
    easel_canvas::fonts::shipped_file(family, weight)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_has_its_files_and_no_other_does() {
        let families = families();
        assert!(families.contains(&"Playfair Display") && !families.iter().any(|family| family.starts_with("Noto")));
        for family in families {
            assert!(file(family, 400).is_some_and(|file| file.len() > 1_000), "{family}");
            assert!(file(family, 700).is_some(), "{family}");
        }
        assert_eq!(file("Comic Sans", 400), None);
    }
}
