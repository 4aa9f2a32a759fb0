//! Reads strangers' files: this same executable, as a process in a cage that reads one file and ends.
//!
//! Not here: the process and what it is asked ([`easel_studio::file_reader`]).

use std::path::Path;

use bytes::Bytes;
use easel_app::ports::{DrawnPreview, FileReader, FileReaderError, FoundBrand, FoundLogo, Later};
use easel_studio::file_reader;
use tokio::process::Command;

use crate::local_studio::this_executable;

/// Starts a process for each file.
pub(crate) struct FileReaders;

impl FileReader for FileReaders {
    fn find_brand<'a>(&'a self, file: &'a Path) -> Later<'a, Result<FoundBrand, FileReaderError>> {
        Box::pin(async move {
            let found = file_reader::find_brand(studio()?, file).await.map_err(read_error)?;
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

    fn draw_preview(&self, content: Bytes, page: u32) -> Later<'_, Result<DrawnPreview, FileReaderError>> {
        Box::pin(async move {
            let drawn = file_reader::draw_preview(studio()?, &content, page).await.map_err(read_error)?;
            Ok(DrawnPreview { png: drawn.png.into(), page_count: drawn.page_count })
        })
    }
}

/// This executable, as the studio's command line.
fn studio() -> Result<Command, FileReaderError> {
    let mut executable = this_executable().map_err(|error| FileReaderError::NotRead { said: error.to_string() })?;
    executable.arg("studio");
    Ok(executable)
}

fn read_error(error: file_reader::FileReaderError) -> FileReaderError {
    match error {
        file_reader::FileReaderError::TooLarge => FileReaderError::TooLarge,
        file_reader::FileReaderError::Unreadable => FileReaderError::Unreadable,
        file_reader::FileReaderError::Io(error) => FileReaderError::NotRead { said: error.to_string() },
    }
}
