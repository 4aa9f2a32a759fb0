//! Why something could not be drawn, named by cause and worded for the person who asked for it.

/// What can go wrong in this crate. Every message is fit to be shown.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The page of this number does not exist.
    #[error("There is no page {page}: the design has {page_count}.")]
    PageMissing {
        /// The page asked for, from 1.
        page: u32,
        /// How many pages there are.
        page_count: u32,
    },
    /// A page size outside of what can be drawn.
    #[error(
        "A page of {width} by {height} pixels cannot be drawn: each side has to be between {min} and {max} pixels."
    )]
    PageSize {
        /// In pixels.
        width: u32,
        /// In pixels.
        height: u32,
        /// The smallest side.
        min: u32,
        /// The largest side.
        max: u32,
    },
    /// The picture asked for would not fit in memory.
    #[error("The picture would have {pixels} pixels, more than {max} can be drawn at once. Choose a smaller scale.")]
    TooManyPixels {
        /// How many it would have.
        pixels: u64,
        /// How many are allowed.
        max: u64,
    },
    /// An attachment that says what it is and is not that, or is broken.
    #[error("The attachment “{name}” could not be read: {reason}.")]
    AttachmentUnreadable {
        /// Its file name.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A stored design that is not one, or one of a later version.
    #[error("The stored design could not be read: {reason}.")]
    DocumentUnreadable {
        /// What is wrong with it.
        reason: String,
    },
    /// There is no such text in the design.
    #[error("Page {page} of the design has no text {path}.")]
    TextNotFound {
        /// The page, from 1.
        page: usize,
        /// Where on the page.
        path: String,
    },
    /// There is no such picture in the design.
    #[error("The design has no picture {reference}.")]
    PictureNotFound {
        /// The reference.
        reference: String,
    },
    /// A text without words.
    #[error("A text needs at least one letter.")]
    TextEmpty,
    /// Words that do not fit the place of a text at the smallest size that can be read there.
    #[error("The words are too long for their place: {} of their {letters} letters fit, as far as “{fitting}”.", fitting.chars().count())]
    TextTooLong {
        /// How many letters they have.
        letters: usize,
        /// The longest beginning of them that fits.
        fitting: String,
    },
    /// No typeface here has the letters. Someone can install one; then the same comes through.
    #[error(
        "No typeface on this computer has the letters “{letters}” ({script}). Install the package {package} and try again."
    )]
    LettersMissing {
        /// The letters, at most twelve.
        letters: String,
        /// Their script.
        script: &'static str,
        /// The package of Debian and its kin that has them.
        package: &'static str,
    },
    /// The drawing itself failed. That is a defect of this crate.
    #[error("The page could not be drawn: {reason}.")]
    Drawing {
        /// What the drawing part said.
        reason: String,
    },
}

impl Error {
    #[expect(clippy::needless_pass_by_value, reason = "it stands where an error is turned into another")]
    pub(crate) fn drawing(reason: impl ToString) -> Self {
        Self::Drawing { reason: reason.to_string() }
    }
}
