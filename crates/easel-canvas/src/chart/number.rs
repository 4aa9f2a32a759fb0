//! How a chart writes a number.

/// A number as a chart writes it: grouped by thousands, shortened from a million unless it has a unit of its own; with a
/// comma before decimals where its text has it so.
pub fn write(value: f64, prefix: &str, suffix: &str, comma: bool) -> String {
    let sign = if value < 0.0 { "−" } else { "" };
    let size = value.abs();
    let (shown, unit) = if size >= 1e12 {
        (size / 1e12, " T")
    } else if size >= 1e9 {
        (size / 1e9, " B")
    } else if size >= 1e6 {
        (size / 1e6, " M")
    } else {
        (size, "")
    };
    // As many decimals as were given, no more than two, and none where the number is large.
    let is_at = |digits: i32| (shown * 10_f64.powi(digits) - (shown * 10_f64.powi(digits)).round()).abs() < 1e-6;
    let digits = if is_at(0) || shown >= 10_000.0 {
        0
    } else if is_at(1) || !unit.is_empty() || shown >= 1000.0 {
        1
    } else {
        2
    };
    let text = format!("{shown:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text.as_str() };
    let (point, separator) = if comma { (",", ".") } else { (".", ",") };
    let (whole, rest) =
        text.split_once('.').map_or((text, String::new()), |(whole, rest)| (whole, format!("{point}{rest}")));
    let grouped = whole
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| String::from_utf8_lossy(group).into_owned())
        .collect::<Vec<_>>()
        .join(separator);
    format!("{sign}{prefix}{grouped}{rest}{unit}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_numbers_for_people() {
        for (value, written) in [
            (0.0, "0"),
            (7.0, "7"),
            (3.25, "3.25"),
            (12.5, "12.5"),
            (1234.0, "1,234"),
            (98_765.0, "98,765"),
            (1_500_000.0, "1.5 M"),
            (-42.0, "−42"),
        ] {
            assert_eq!(write(value, "", "", false), written);
        }
        assert_eq!(write(1200.0, "€", "", false), "€1,200");
        assert_eq!(write(1.05, "", " Mio.", true), "1,05 Mio.");
        assert_eq!(write(184.5, "", "", false), "184.5");
        assert_eq!(write(12.0, "", "%", false), "12%");
    }
}
