//! The sums under a list of prices: “Netto 1.258,00 €, MwSt. 19 % 239,02 €, gesamt 1.497,02 €”, each with what it is the sum of.
//!
//! Deliberately not here: what a price is (`amounts`), and the things whose prices are summed up (`prices`).

use super::amounts::amounts;
use super::text;
use crate::content::Priced;

/// Words that begin the name of a sum or of what is added to one, in small letters.
#[rustfmt::skip]
const SUMS: &[&str] = &[
    "net", "gross", "total", "subtotal", "sub-total", "grand", "sum", "vat", "tax", "tip", "discount", "deposit", "shipping", "delivery", "plus", "incl", "including",
    "netto", "brutto", "summe", "gesamt", "gesamtsumme", "gesamtbetrag", "gesamtpreis", "zwischensumme", "endbetrag", "endsumme", "mwst", "mehrwertsteuer", "ust",
    "umsatzsteuer", "zzgl", "inkl", "rabatt", "anzahlung", "versand", "ht", "tva", "ttc", "sous-total", "remise", "iva", "importe", "base", "imponibile", "totale",
    "subtotale", "sconto", "btw", "totaal",
];

/// The sums that a line tells one after the other, at least two; `None` where it says anything else.
pub fn totals_of(line: &str) -> Option<Vec<Priced>> {
    let clauses = text::clauses(line.trim().trim_end_matches('.'));
    let sums: Vec<Priced> = clauses.iter().map(|clause| sum_of(clause)).collect::<Option<_>>()?;
    (sums.len() >= 2).then_some(sums)
}

/// “MwSt. 19 % 239,02 €”: the name of a sum, and how much it is.
fn sum_of(clause: &str) -> Option<Priced> {
    let clause = ["and ", "und ", "et ", "y ", "e "].iter().find_map(|and| clause.strip_prefix(and)).unwrap_or(clause);
    let last = amounts(clause).pop()?;
    let name = clause[..last.start].trim().trim_end_matches([':', '=', '–', '-', ' ']);
    let first = name.split_whitespace().next()?.trim_matches(|letter: char| !letter.is_alphabetic()).to_lowercase();
    let is_sum = last.end == clause.len() && last.is_price(clause) && SUMS.contains(&first.as_str());
    is_sum.then(|| Priced { name: text::capitalize(name), price: last.written(clause).to_owned(), ..Priced::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sum_has_its_name() {
        for (line, expected) in [
            (
                "Netto 1.258,00 €, MwSt. 19 % 239,02 €, gesamt 1.497,02 €",
                &[("Netto", "1.258,00 €"), ("MwSt. 19 %", "239,02 €"), ("Gesamt", "1.497,02 €")][..],
            ),
            (
                "Subtotal £420.00, VAT £84.00, total: £504.00",
                &[("Subtotal", "£420.00"), ("VAT", "£84.00"), ("Total", "£504.00")],
            ),
            ("Summe 310,00 €, zzgl. Versand 9,90 €", &[("Summe", "310,00 €"), ("Zzgl. Versand", "9,90 €")]),
        ] {
            let found = totals_of(line).unwrap_or_default();
            let found: Vec<(&str, &str)> = found.iter().map(|sum| (sum.name.as_str(), sum.price.as_str())).collect();
            assert_eq!(found, expected, "{line}");
        }
        for line in ["Total £504.00", "Oak table £420.00, ash chair £84.00", "total fun, net gain"] {
            assert_eq!(totals_of(line), None, "{line}");
        }
    }
}
