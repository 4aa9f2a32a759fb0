//! What is still lost or printed: the contents that a form does not keep whole.
//!
//! What holds: the list only becomes shorter. Who mends one of them takes it out, and the test says so.

/// Forms, and the contents of which something is lost in them.
pub const KNOWN: &[(&str, &[&str])] = &[
    ("bars", &["prices", "french"]),
    ("one line, slashes", &["prices", "timetable", "steps"]),
    ("one line, commas", &["prices", "timetable"]),
    ("one line, full stops", &["event", "numbers", "spanish", "greek"]),
    ("one line, dashes", &["steps", "japanese"]),
    ("one line, arrows", &["timetable", "steps"]),
    ("one line, dots", &["prices", "timetable"]),
    ("one line, brackets", &["quotation"]),
    ("numbered 1)", &["numbers"]),
    ("numbered (1)", &["numbers"]),
    ("numbered a.", &["numbers"]),
    ("numbered (i)", &["numbers"]),
    ("numbered with pictures", &["numbers"]),
    ("all capitals", &["german"]),
    ("wishes behind, one paragraph", &["prices", "timetable"]),
    ("asked for at the end", &["comparison"]),
    ("asked for at once at the end", &["comparison"]),
    ("labels in bold", &["contacts", "quotation"]),
];
