//! Forms that programs read: a content in Markdown, HTML, XML, JSON, YAML, TOML, INI and tables.

use super::contents::Content;

pub fn markdown(content: &Content) -> String {
    let mut told = format!("# {}\n\n", content.title);
    content.quote.iter().for_each(|(words, by)| told.push_str(&format!("> {words}\n> — {by}\n\n")));
    content.fields.iter().for_each(|(label, value)| told.push_str(&format!("- **{label}**: {value}\n")));
    if !content.rows.is_empty() {
        told.push_str(&format!("\n{}\n", barred_rows(content)));
    }
    if let Some((name, items)) = content.list {
        told.push_str(&format!("\n## {name}\n\n"));
        items.iter().for_each(|item| told.push_str(&format!("* {item}\n")));
    }
    told.trim_end().to_owned()
}

fn barred_rows(content: &Content) -> String {
    let mut rows = format!("| {} |\n|{}", content.head.join(" | "), "---|".repeat(content.head.len()));
    content.rows.iter().for_each(|row| rows.push_str(&format!("\n| {} |", row.join(" | "))));
    rows
}

/// The title, and under it all fields, rows and items as a table of Markdown.
pub fn barred(content: &Content) -> String {
    let mut told = format!("{}\n\n", content.title);
    content.quote.iter().for_each(|(words, by)| told.push_str(&format!("\"{words}\" - {by}\n\n")));
    if !content.fields.is_empty() {
        told.push_str("| | |\n|---|---|\n");
        content.fields.iter().for_each(|(label, value)| told.push_str(&format!("| {label} | {value} |\n")));
    }
    if !content.rows.is_empty() {
        told.push_str(&format!("\n{}\n", barred_rows(content)));
    }
    if let Some((name, items)) = content.list {
        told.push_str(&format!("\n| {name} |\n|---|\n"));
        items.iter().for_each(|item| told.push_str(&format!("| {item} |\n")));
    }
    told.trim_end().to_owned()
}

/// The title, and under it fields, rows and items with a mark between their cells.
pub fn separated(content: &Content, mark: char) -> String {
    let cell = |text: &str| {
        if text.contains([mark, '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
    };
    let row = |cells: &[&str]| cells.iter().map(|text| cell(text)).collect::<Vec<_>>().join(&mark.to_string());
    let mut told = vec![content.title.to_owned(), String::new()];
    told.extend(content.quote.iter().map(|(words, by)| row(&[words, by])));
    told.extend(content.fields.iter().map(|(label, value)| row(&[label, value])));
    if !content.rows.is_empty() {
        told.extend([String::new(), row(content.head)]);
        told.extend(content.rows.iter().map(|cells| row(cells)));
    }
    content.list.iter().for_each(|(name, items)| told.extend(items.iter().map(|item| row(&[name, item]))));
    told.join("\n")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('€', "&euro;").replace('\'', "&#39;")
}

pub fn html(content: &Content) -> String {
    let mut told = format!(
        "<!DOCTYPE html>\n<html>\n<head>\n<style>p {{ margin: 0 }}</style>\n</head>\n<body class=\"page\">\n<h1>{}</h1>\n",
        escaped(content.title)
    );
    if let Some((words, by)) = content.quote {
        told.push_str(&format!("<blockquote>{}<cite>{}</cite></blockquote>\n", escaped(words), escaped(by)));
    }
    content
        .fields
        .iter()
        .for_each(|(label, value)| told.push_str(&format!("<p><strong>{label}:</strong> {}</p>\n", escaped(value))));
    if !content.rows.is_empty() {
        let row = |cells: &[&str], tag: &str| {
            let cells: String = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect();
            format!("<tr>{cells}</tr>\n")
        };
        told.push_str(&format!("<table>\n{}", row(content.head, "th")));
        content.rows.iter().for_each(|cells| told.push_str(&row(cells, "td")));
        told.push_str("</table>\n");
    }
    if let Some((name, items)) = content.list {
        told.push_str(&format!("<h2>{name}</h2>\n<ul>\n"));
        items.iter().for_each(|item| told.push_str(&format!("<li>{}</li>\n", escaped(item))));
        told.push_str("</ul>\n");
    }
    told + "</body>\n</html>"
}

pub fn html_of_breaks(content: &Content) -> String {
    let mut told = vec![format!("<b>{}</b>", escaped(content.title))];
    told.extend(content.quote.iter().map(|(words, by)| format!("&ldquo;{words}&rdquo; &ndash; {by}")));
    told.extend(content.fields.iter().map(|(label, value)| format!("{label}:&nbsp;{}", escaped(value))));
    told.extend(content.rows.iter().map(|row| escaped(&row.join(" – ")).replace('–', "&ndash;")));
    told.extend(content.list.iter().flat_map(|(_, items)| items.iter().map(|item| format!("&bull; {item}"))));
    told.join("<br>")
}

pub fn xml(content: &Content) -> String {
    let mut told = format!("<?xml version=\"1.0\"?>\n<item>\n  <title>{}</title>\n", content.title);
    content.quote.iter().for_each(|(words, by)| {
        told.push_str(&format!("  <quote>{words}</quote>\n  <author>{by}</author>\n"));
    });
    content.fields.iter().for_each(|(_, value)| told.push_str(&format!("  <field>{value}</field>\n")));
    for row in content.rows {
        let cells: String = row.iter().map(|cell| format!("<cell>{cell}</cell>")).collect();
        told.push_str(&format!("  <row>{cells}</row>\n"));
    }
    content.list.iter().for_each(|(_, items)| {
        items.iter().for_each(|item| told.push_str(&format!("  <entry>{item}</entry>\n")));
    });
    told + "</item>"
}

/// Keys and values in the order of the content, written as JSON is.
pub fn json(content: &Content, is_pretty: bool) -> String {
    let text = |text: &str| serde_json::to_string(text).expect("a text");
    let mut pairs = vec![format!("\"title\": {}", text(content.title))];
    content.quote.iter().for_each(|(words, by)| {
        pairs.push(format!("\"quote\": {{\"text\": {}, \"author\": {}}}", text(words), text(by)));
    });
    content.fields.iter().for_each(|(label, value)| pairs.push(format!("{}: {}", text(label), text(value))));
    if !content.rows.is_empty() {
        let rows: Vec<String> = content
            .rows
            .iter()
            .map(|row| {
                let cells = content.head.iter().zip(*row);
                let cells: Vec<String> =
                    cells.map(|(name, cell)| format!("{}: {}", text(&name.to_lowercase()), text(cell))).collect();
                format!("{{{}}}", cells.join(", "))
            })
            .collect();
        pairs.push(format!("\"rows\": [{}]", rows.join(", ")));
    }
    content.list.iter().for_each(|(name, items)| {
        let items: Vec<String> = items.iter().map(|item| text(item)).collect();
        pairs.push(format!("{}: [{}]", text(name), items.join(", ")));
    });
    let whole = format!("{{{}}}", pairs.join(", "));
    if !is_pretty {
        return whole;
    }
    let mut told = String::from("{\n");
    told.push_str(&pairs.iter().map(|pair| format!("  {pair}")).collect::<Vec<_>>().join(",\n"));
    told + "\n}"
}

pub fn yaml(content: &Content) -> String {
    let mut told = format!("---\ntitle: \"{}\"\n", content.title);
    content.quote.iter().for_each(|(words, by)| told.push_str(&format!("quote:\n  text: {words}\n  author: {by}\n")));
    content.fields.iter().for_each(|(label, value)| told.push_str(&format!("{}: '{value}'\n", label.to_lowercase())));
    if !content.rows.is_empty() {
        told.push_str("rows:\n");
        for row in content.rows {
            for (at, (name, cell)) in content.head.iter().zip(*row).enumerate() {
                let mark = if at == 0 { "  - " } else { "    " };
                told.push_str(&format!("{mark}{}: {cell}\n", name.to_lowercase()));
            }
        }
    }
    if let Some((name, items)) = content.list {
        told.push_str(&format!("{}:\n", name.to_lowercase()));
        items.iter().for_each(|item| told.push_str(&format!("  - {item}\n")));
    }
    told.trim_end().to_owned()
}

pub fn toml(content: &Content) -> String {
    let key = |label: &str| label.to_lowercase().replace(' ', "_");
    let mut told = format!("title = \"{}\"\n", content.title);
    content.fields.iter().for_each(|(label, value)| told.push_str(&format!("{} = \"{value}\"\n", key(label))));
    content.list.iter().for_each(|(name, items)| {
        told.push_str(&format!("{} = [\"{}\"]\n", key(name), items.join("\", \"")));
    });
    content.quote.iter().for_each(|(words, by)| {
        told.push_str(&format!("\n[quote]\ntext = \"{words}\"\nauthor = \"{by}\"\n"));
    });
    for row in content.rows {
        told.push_str("\n[[rows]]\n");
        let cells = content.head.iter().zip(*row);
        cells.for_each(|(name, cell)| told.push_str(&format!("{} = \"{cell}\"\n", key(name))));
    }
    told.trim_end().to_owned()
}

pub fn ini(content: &Content) -> String {
    let mut told = format!("[general]\ntitle={}\n", content.title);
    content.fields.iter().for_each(|(label, value)| told.push_str(&format!("{}={value}\n", label.to_lowercase())));
    content
        .quote
        .iter()
        .for_each(|(words, by)| told.push_str(&format!("; what was said\nquote={words}\nauthor={by}\n")));
    if !content.rows.is_empty() {
        told.push_str("\n[rows]\n");
        content.rows.iter().for_each(|row| told.push_str(&format!("{}={}\n", row[0], row[1..].join(", "))));
    }
    if let Some((name, items)) = content.list {
        told.push_str(&format!("\n[{}]\n", name.to_lowercase()));
        items.iter().enumerate().for_each(|(at, item)| told.push_str(&format!("{}={item}\n", at + 1)));
    }
    told.trim_end().to_owned()
}
