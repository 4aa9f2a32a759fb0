//! Which files could run a program when they are opened, on any of the systems that Easel is for.
//!
//! Judged by name, by the type that the service says, and by how the content begins: whichever speaks for a program
//! counts. On the side of caution: scripts, installers, images of disks, shortcuts and documents with macros are among
//! them, whatever the system here would do with them today. Deliberately not there: web pages and pictures, which their
//! programs show without letting them do more; and whether a program is a good one.

use std::io::Read as _;
use std::path::Path;

/// Extensions, in lower case and sorted. Among office documents these are the ones that are made to hold a program, and
/// those that fetch or compute from elsewhere when they are opened (`iqy`, `slk`). The plain `doc`, `xls` and `ppt` and
/// their templates are not here, though they may have macros: they are everyday files, an office program opens them
/// with macros off, and a person who is asked at every letter soon says yes to everything.
const ENDINGS: &[&str] = &[
    "accda",
    "accde",
    "accdr",
    "action",
    "ade",
    "adp",
    "apk",
    "app",
    "appimage",
    "appinstaller",
    "applescript",
    "application",
    "appref-ms",
    "appx",
    "appxbundle",
    "bash",
    "bat",
    "bin",
    "cab",
    "chm",
    "cmd",
    "com",
    "command",
    "cpl",
    "csh",
    "deb",
    "desktop",
    "diagcab",
    "dll",
    "dmg",
    "docm",
    "dotm",
    "dqy",
    "elf",
    "exe",
    "fileloc",
    "fish",
    "flatpak",
    "flatpakref",
    "flatpakrepo",
    "ftploc",
    "gadget",
    "hlp",
    "hta",
    "img",
    "inetloc",
    "inf",
    "ins",
    "iqy",
    "iso",
    "jar",
    "jnlp",
    "js",
    "jse",
    "kext",
    "ksh",
    "library-ms",
    "lnk",
    "lua",
    "mda",
    "mde",
    "mht",
    "mobileconfig",
    "mpkg",
    "msc",
    "msh",
    "msi",
    "msix",
    "msixbundle",
    "msp",
    "mst",
    "msu",
    "one",
    "oqy",
    "osx",
    "out",
    "php",
    "pif",
    "pkg",
    "pl",
    "potm",
    "ppam",
    "ppsm",
    "pptm",
    "prefpane",
    "prg",
    "ps1",
    "ps1xml",
    "psd1",
    "psm1",
    "py",
    "pyc",
    "pyw",
    "pyz",
    "rb",
    "rdp",
    "reg",
    "rpm",
    "rqy",
    "run",
    "saver",
    "scf",
    "scpt",
    "scptd",
    "scr",
    "sct",
    "search-ms",
    "service",
    "settingcontent-ms",
    "sh",
    "shb",
    "shs",
    "sldm",
    "slk",
    "snap",
    "so",
    "tcl",
    "terminal",
    "theme",
    "themepack",
    "tool",
    "url",
    "vb",
    "vbe",
    "vbs",
    "vhd",
    "vhdx",
    "wasm",
    "webloc",
    "website",
    "workflow",
    "ws",
    "wsb",
    "wsc",
    "wsf",
    "wsh",
    "xbap",
    "xla",
    "xlam",
    "xll",
    "xlsb",
    "xlsm",
    "xltm",
    "xnk",
    "zsh",
];

/// Words of a type that speak for a program, in lower case: its subtype is `x-pie-executable`, say.
const TYPE_WORDS: &[&str] = &[
    "appimage",
    "applescript",
    "bat",
    "csh",
    "debian",
    "desktop",
    "diskimage",
    "dosexec",
    "elf",
    "executable",
    "flatpak",
    "hta",
    "iso9660",
    "java",
    "jnlp",
    "mach",
    "macroenabled",
    "msdos",
    "msdownload",
    "msi",
    "perl",
    "powershell",
    "python",
    "redhat",
    "rpm",
    "ruby",
    "sh",
    "sharedlib",
    "shellscript",
    "shortcut",
    "vbscript",
];

/// How the contents of programs begin.
const BEGINNINGS: &[&[u8]] = &[
    b"MZ",
    b"\x7fELF",
    b"#!",
    b"\xca\xfe\xba\xbe",
    b"\xfe\xed\xfa\xce",
    b"\xfe\xed\xfa\xcf",
    b"\xce\xfa\xed\xfe",
    b"\xcf\xfa\xed\xfe",
    b"!<arch>\ndebian",
    b"\xed\xab\xee\xdb",
    b"L\0\0\0\x01\x14\x02\0",
    b"[Desktop Entry]",
    b"[InternetShortcut]",
];

/// The most bytes of a content that are looked at: a `.desktop` file may begin with comments.
const LOOKED_AT_BYTES: u64 = 4 * 1024;

/// Whether a file of this name and type could run a program.
pub(crate) fn could_run(name: &str, mime_type: Option<&str>) -> bool {
    let ending =
        name.trim_end_matches(['.', ' ']).rsplit_once('.').map(|(_, ending)| ending.trim().to_ascii_lowercase());
    let by_name = ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()));
    let said = mime_type.and_then(|said| said.split(';').next()).unwrap_or_default().trim().to_ascii_lowercase();
    let by_type = said
        .split_once('/')
        .is_some_and(|(_, subtype)| subtype.split(['.', '-', '+']).any(|word| TYPE_WORDS.contains(&word)));
    by_name || by_type
}

/// Whether the content of a file here begins as programs do; one that cannot be read is none that can be opened.
pub(crate) fn begins_as_program(path: &Path) -> bool {
    let mut beginning = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(LOOKED_AT_BYTES).read_to_end(&mut beginning));
    read.is_ok() && is_beginning(&beginning)
}

fn is_beginning(content: &[u8]) -> bool {
    let text = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
    let first_line = text
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .find(|line| !line.is_empty() && (line.starts_with(b"#!") || !line.starts_with(b"#")))
        .unwrap_or_default();
    BEGINNINGS
        .iter()
        .any(|beginning| content.starts_with(beginning) || first_line.starts_with(b"[") && first_line == *beginning)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_run_a_program_is_known_by_its_name() {
        for name in [
            "setup.exe",
            "SETUP.EXE",
            "photo.jpg.exe",
            "photo\u{202E}gpj.exe",
            "deck.pptm",
            "a.desktop",
            "run.sh",
            "x.lnk",
            "x.exe.",
            "x.exe ",
            "invoice.pdf.js",
            "Keynote.app",
            "disk.dmg",
            "t.AppImage",
            "b.scr",
            "macro.xlsm",
            "prices.iqy",
            "prices.slk",
            "add-in.xla",
            "stock.accde",
            "office.rdp",
            "a.wsb",
            "a.ftploc",
        ] {
            assert!(could_run(name, Some("image/png")), "{name}");
        }
        for name in [
            "deck.pptx",
            "letter.doc",
            "sums.xls",
            "photo.jpg",
            "exe",
            "notes",
            ".exe.txt",
            "report.pdf",
            "logo.svg",
            "page.html",
            "a.zip",
            "film.mp4",
            "data.json",
        ] {
            assert!(!could_run(name, None), "{name}");
        }
    }

    #[test]
    fn what_could_run_a_program_is_known_by_its_type() {
        for said in [
            "application/x-msdownload",
            "application/vnd.microsoft.portable-executable",
            "application/x-executable",
            "application/x-pie-executable",
            "text/x-shellscript",
            "application/x-sh; charset=utf-8",
            "Application/X-Desktop",
            "application/java-archive",
            "application/x-ms-shortcut",
            "application/vnd.ms-excel.sheet.macroEnabled.12",
            "application/vnd.debian.binary-package",
            "application/x-apple-diskimage",
            "application/hta",
            "application/vnd.appimage",
        ] {
            assert!(could_run("notes.txt", Some(said)), "{said}");
        }
        for said in [
            "image/png",
            "application/pdf",
            "text/plain",
            "application/octet-stream",
            "application/zip",
            "font/ttf",
            "text/html",
            "video/mp4",
            "application/vnd.openxmlformats-officedocument.presentationml.presentation",
            "image/x-sharp",
            "application/msword",
            "",
        ] {
            assert!(!could_run("notes.txt", Some(said)), "{said}");
        }
    }

    #[test]
    fn what_could_run_a_program_is_known_by_how_it_begins() {
        for content in [
            b"MZ\x90\0".as_slice(),
            b"\x7fELF\x02",
            b"#!/bin/sh\n",
            b"# comment\n\n[Desktop Entry]\nExec=x",
            b"\xef\xbb\xbf[InternetShortcut]\r\nURL=x",
            b"\xcf\xfa\xed\xfe\0",
        ] {
            assert!(is_beginning(content), "{content:?}");
        }
        for content in
            [b"".as_slice(), b"%PDF-1.7", b"\x89PNG", b"[Desktop", b"# Title\n\nSee [Desktop Entry]", b"plain"]
        {
            assert!(!is_beginning(content), "{content:?}");
        }
    }
}
