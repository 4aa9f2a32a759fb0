//! What was pasted in the form of a program — HTML, XML, JSON, YAML, TOML, INI, separated values, quoted mail — as the plain
//! lines that people type: headings, lists, rows of a table, labels with a colon.
//!
//! What holds: only marks, keys and the order within a row are changed; every text between them stays, and a text that is in
//! none of these forms comes back as it was. Deliberately not here: what the lines mean (`lines`), and diagrams in the
//! notation of a program (`notation`).

mod entities;
mod html;
mod json;
mod keys;
mod marks;
mod nodes;
mod rows;
mod signs;
mod yaml;

/// A brief without the forms of programs.
pub fn as_plain(prompt: &str) -> String {
    let mut text = signs::unify(prompt);
    for form in [marks::unquote, html::as_lines, json::as_lines, yaml::as_lines, keys::as_lines, rows::as_tables] {
        if let Some(plain) = form(&text) {
            text = plain;
        }
    }
    marks::as_items(&text)
}

#[cfg(test)]
mod tests {
    use super::as_plain;

    #[test]
    fn what_is_in_no_such_form_stays() {
        for text in [
            "Poster for the weir, 3 May",
            "Numbers: a < b and b > a, I <3 it\n- one\n- two",
            "Price: 3 €\nPlace: the weir, 5 pm",
            "Tea, coffee, cake\nBread, butter, jam",
            "mail <tom@weir.example> about {this} [1]",
        ] {
            assert_eq!(as_plain(text), text);
        }
    }

    #[test]
    fn forms_may_stand_within_each_other() {
        let plain = as_plain("Slides:\n\n> ```json\n> {\"title\": \"Weir\",\n> \"day\": \"3&nbsp;May\"}\n> ```");
        let told: Vec<&str> = plain.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(told, ["Slides:", "# Weir", "Day: 3 May"]);
    }
}
