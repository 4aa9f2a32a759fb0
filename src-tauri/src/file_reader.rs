//! Reads strangers' files: this same executable, as a process in a cage that reads one file and ends.
//!
//! Not here: the process and what it is asked ([`easel_studio::brand_finder`]).

use std::path::Path;

use easel_app::ports::{FileReader, FileReaderError, FoundBrand, FoundLogo, Later};
use easel_studio::brand_finder::{self, FinderError};

use crate::local_studio::this_executable;

/// Starts a process for each file.
pub(crate) struct FileReaders;

impl FileReader for FileReaders {
    fn find_brand<'a>(&'a self, file: &'a Path) -> Later<'a, Result<FoundBrand, FileReaderError>> {
        Box::pin(async move {
            let mut executable =
                this_executable().map_err(|error| FileReaderError::NotRead { said: error.to_string() })?;
            executable.arg("studio");
            let found = brand_finder::find(executable, file).await.map_err(|error| match error {
                FinderError::TooLarge => FileReaderError::TooLarge,
                FinderError::Unreadable => FileReaderError::Unreadable,
                FinderError::Io(error) => FileReaderError::NotRead { said: error.to_string() },
            })?;
            Ok(FoundBrand {
                name: found.name,
                colors: found.colors.into_iter().map(|found| (found.role, found.color.hex())).collect(),
                heading_font: found.heading_font,
                body_font: found.body_font,
                logo: found.logo.map(|logo| FoundLogo {
                    extension: logo.extension,
                    bytes: logo.bytes,
                    preview: logo.preview,
                }),
            })
        })
    }
}
