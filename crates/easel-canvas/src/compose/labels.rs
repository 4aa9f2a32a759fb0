//! The labels that a design may have of itself, in its language: of at most three words each, and never about its subject.
//!
//! Everything else on a page is the brief's, its files' or the kit's.

/// The labels of a language.
pub struct Labels {
    /// Two letters.
    pub language: &'static str,
    /// What a design without a name is called.
    pub untitled: &'static str,
    /// Over a list of what is to come.
    pub agenda: &'static str,
    /// The largest number of a chart.
    pub highest: &'static str,
    /// The smallest.
    pub lowest: &'static str,
    /// Before and behind the name of what is missing on a page: “Add your team”.
    pub add: (&'static str, &'static str),
    /// What is missing where it has no name.
    pub content: &'static str,
}

/// The labels of a language; English where it is not among them.
pub fn labels(language: &str) -> &'static Labels {
    LABELS.iter().find(|labels| labels.language == language).unwrap_or(&LABELS[0])
}

impl Labels {
    /// What a page asks for that has a name and nothing else.
    pub fn ask_for(&self, name: &str) -> String {
        let name = if name.trim().is_empty() { self.content } else { name.trim() };
        // Names within a sentence begin small in English; a name of several capitals stays.
        let is_plain = self.language == "en" && name.chars().skip(1).all(|letter| !letter.is_uppercase());
        let name = if is_plain { name.to_lowercase() } else { name.to_owned() };
        // “Add: how we help”, “Add: what's next”: a question has no owner.
        let first = name.split([' ', '\'', '’']).next().unwrap_or_default();
        if self.language == "en" && matches!(first, "what" | "how" | "why" | "who" | "where" | "when" | "which") {
            return format!("Add: {name}");
        }
        format!("{}{name}{}", self.add.0, self.add.1)
    }
}

/// Every word of the labels that a design in a language may have of itself.
pub fn label_words(language: &str) -> Vec<String> {
    let labels = labels(language);
    let parts =
        [labels.untitled, labels.agenda, labels.highest, labels.lowest, labels.add.0, labels.add.1, labels.content];
    parts.iter().flat_map(|label| label.split_whitespace()).map(str::to_owned).collect()
}

const fn of(
    language: &'static str,
    untitled: &'static str,
    agenda: &'static str,
    highest: &'static str,
    lowest: &'static str,
    add: (&'static str, &'static str),
    content: &'static str,
) -> Labels {
    Labels { language, untitled, agenda, highest, lowest, add, content }
}

const LABELS: &[Labels] = &[
    of("en", "Untitled", "Agenda", "Highest", "Lowest", ("Add your ", ""), "content"),
    of("de", "Ohne Titel", "Agenda", "Höchster Wert", "Niedrigster Wert", ("", " ergänzen"), "Inhalt"),
    of("fr", "Sans titre", "Sommaire", "Maximum", "Minimum", ("Ajouter : ", ""), "contenu"),
    of("es", "Sin título", "Contenido", "Máximo", "Mínimo", ("Añadir: ", ""), "contenido"),
    of("it", "Senza titolo", "Sommario", "Massimo", "Minimo", ("Aggiungere: ", ""), "contenuto"),
    of("ru", "Без названия", "Содержание", "Максимум", "Минимум", ("Добавьте: ", ""), "текст"),
    of("el", "Χωρίς τίτλο", "Περιεχόμενα", "Μέγιστο", "Ελάχιστο", ("Προσθέστε: ", ""), "κείμενο"),
    of("he", "ללא שם", "תוכן", "הגבוה ביותר", "הנמוך ביותר", ("להוסיף: ", ""), "תוכן"),
    of("ar", "بلا عنوان", "المحتويات", "الأعلى", "الأدنى", ("أضف: ", ""), "محتوى"),
    of("ja", "無題", "目次", "最大", "最小", ("", "を追加"), "内容"),
    of("zh", "无标题", "目录", "最高", "最低", ("添加", ""), "内容"),
    of("ko", "제목 없음", "목차", "최고", "최저", ("", " 추가"), "내용"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_few_and_short_labels() {
        for labels in LABELS {
            for label in [labels.untitled, labels.agenda, labels.highest, labels.lowest, labels.content] {
                assert!((1..=3).contains(&label.split_whitespace().count()), "{label}");
            }
        }
        assert_eq!(labels("en").ask_for("Team"), "Add your team");
        assert_eq!(labels("de").ask_for("Team"), "Team ergänzen");
        assert_eq!(labels("xx").ask_for(""), "Add your content");
    }
}
