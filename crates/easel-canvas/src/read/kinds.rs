//! What kinds of things people ask for, by what names, and what each is made as: its category, its size, its pages.
//!
//! A kind's name is an instruction and is not printed, but for kinds whose name is what they say, such as a certificate.

use std::sync::LazyLock;

use super::text;
use super::vocabulary::{OF_GUESTS, is_determiner};
use crate::document::Category;

/// What kind of thing is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Slides that tell something one after the other.
    Deck,
    /// One page that is seen from afar.
    Poster,
    /// One page that is handed out.
    Flyer,
    /// Who is asked to what, when and where.
    Invitation,
    /// A greeting, a thank-you, a postcard.
    Card,
    /// A person's name and how to reach them.
    BusinessCard,
    /// Much broader than high.
    Banner,
    /// Dishes or services and what they cost.
    Menu,
    /// Who is honoured for what.
    Certificate,
    /// A picture for a feed.
    Post,
    /// The same as high as a phone.
    Story,
    /// Several pictures to be swiped.
    Carousel,
    /// Boxes and arrows.
    Diagram,
    /// Several pages to be read.
    Document,
    /// One page to be read.
    OnePager,
    /// A screen of an app.
    Screen,
    /// Numbers and facts on one long page.
    Infographic,
}

/// A kind with the names that people have for it.
pub struct Form {
    /// The kind.
    pub kind: Kind,
    /// Names of it in small letters, in any of the languages; also as the end of a compound.
    pub names: &'static [&'static str],
}

/// What a kind is made as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Making {
    /// As what the document is kept.
    pub category: Category,
    /// In pixels.
    pub size: (u32, u32),
    /// Whether it is one page unless more are asked for.
    pub is_single: bool,
}

impl Kind {
    /// What it is made as.
    pub fn making(self) -> Making {
        let (category, size, is_single) = match self {
            Self::Deck => (Category::Slides, (1920, 1080), false),
            Self::Poster => (Category::Other, (1240, 1754), true),
            Self::Flyer => (Category::Other, (1240, 1754), true),
            Self::Invitation => (Category::Other, (1050, 1480), true),
            Self::Card => (Category::Other, (1480, 1050), true),
            Self::BusinessCard => (Category::Other, (1050, 600), true),
            Self::Banner => (Category::Other, (1500, 500), true),
            Self::Menu => (Category::Other, (1240, 1754), true),
            Self::Certificate => (Category::Other, (1754, 1240), true),
            Self::Post => (Category::Social, (1080, 1080), true),
            Self::Story => (Category::Social, (1080, 1920), true),
            Self::Carousel => (Category::Carousel, (1080, 1350), false),
            Self::Diagram => (Category::Diagram, (1600, 1000), true),
            Self::Document => (Category::Pdf, (794, 1123), false),
            Self::OnePager => (Category::Pdf, (794, 1123), true),
            Self::Screen => (Category::Ui, (1440, 1024), true),
            Self::Infographic => (Category::Other, (1240, 1754), true),
        };
        Making { category, size, is_single }
    }

    /// The kind that a category is by itself.
    pub fn of_category(category: Category) -> Self {
        match category {
            Category::Slides => Self::Deck,
            Category::Social => Self::Post,
            Category::Carousel => Self::Carousel,
            Category::Pdf => Self::Document,
            Category::Diagram => Self::Diagram,
            Category::Ui => Self::Screen,
            Category::Other => Self::Poster,
        }
    }

    /// Whether its own name is part of what it says.
    pub fn says_its_name(self) -> bool {
        matches!(self, Self::Certificate)
    }
}

/// Kinds by name; of several names in a brief the longest of the first place counts.
#[rustfmt::skip]
pub const FORMS: &[Form] = &[
    Form {
        kind: Kind::Deck,
        names: &[
            "pitch deck", "slide deck", "investor deck", "sales deck", "board deck", "deck", "slides", "slide", "slideshow", "presentation",
            "keynote", "powerpoint", "ppt", "pptx", "präsentation", "folien", "foliensatz", "folie", "vortrag", "pitchdeck", "présentation",
            "diaporama", "präsi", "präse", "preso", "présa", "presentación", "diapositivas", "presentazione", "diapositive", "презентация", "презентацию", "παρουσίαση", "מצגת",
            "عرض تقديمي", "スライド", "プレゼン", "演示文稿", "프레젠테이션", "apresentação", "diapos", "슬라이드", "幻灯片", "簡報", "프리젠테이션",
        ],
    },
    Form {
        kind: Kind::Poster,
        names: &[
            "โปสเตอร์", "पोस्टर", "posteri", "pôster", "aushänge", "door poster",
            "poster", "plakat", "aushang", "affiche", "cartel", "job ad", "job advert", "job advertisement", "vacancy notice", "stellenanzeige", "stellenausschreibung", "offre d'emploi", "oferta de empleo", "annuncio di lavoro", "póster", "manifesto", "locandina", "sign", "door sign", "placard", "плакат", "афиша",
            "афишу", "αφίσα", "כרזה", "ملصق", "ポスター", "海报", "海報", "포스터", "notice", "schild", "cartaz", "פוסטר",
        ],
    },
    Form {
        kind: Kind::Flyer,
        names: &[
            "ulotka",
            "منشور", "منشورا", "ใบปลิว", "फ़्लायर", "handbill",
            "flyer", "flier", "leaflet", "handout", "handzettel", "flugblatt", "faltblatt", "prospectus", "folleto", "volante", "volantino",
            "dépliant", "tract", "チラシ", "传单", "листовка", "전단지", "傳單", "panfleto",
        ],
    },
    Form {
        kind: Kind::Invitation,
        names: &[
            "zaproszenie", "uitnodiging", "inbjudan",
            "bday invite", "birthday invite", "invito a", "การ์ดเชิญ", "निमंत्रण",
            "invitation card", "invitation", "invite", "invites", "save the date", "save-the-date", "einladung", "einladungskarte", "invitación",
            "invito", "partecipazione", "faire-part", "приглашение", "πρόσκληση", "הזמנה", "دعوة", "招待状", "请柬", "초대장", "convite", "邀请函", "邀請函",
        ],
    },
    Form {
        kind: Kind::BusinessCard,
        names: &[
            "business card", "business cards", "visitenkarte", "visitenkarten", "carte de visite", "tarjeta de visita", "biglietto da visita",
            "name card", "名刺", "визитка",
        ],
    },
    Form {
        kind: Kind::Card,
        names: &[
            "greeting card", "thank you card", "thank-you card", "birthday card", "christmas card", "postcard", "card", "grußkarte", "dankeskarte",
            "postkarte", "glückwunschkarte", "geburtstagskarte", "weihnachtskarte", "karte", "carte postale", "carte de voeux", "tarjeta", "postal",
            "cartolina", "voucher", "gutschein", "gift card", "ticket", "eintrittskarte", "place card", "tischkarte", "bon cadeau",
        ],
    },
    Form {
        kind: Kind::Banner,
        names: &[
            "web banner", "banner", "header image", "header", "cover photo", "titelbild", "bannière", "pancarta", "striscione", "roll-up", "rollup",
        ],
    },
    Form {
        kind: Kind::Menu,
        names: &[
            "tabela de preços", "preçário", "ementa", "cardápio", "prijslijst", "menukaart", "cennik", "prislista",
            "menù", "menù del giorno", "menu del giorno", "menú del día", "menu du jour", "brunch board", "lunch board", "drinks board", "specials board", "tap list", "beer list", "tea list", "prices pls", "prices please", "preise bitte", "menükarte", "hochzeitsmenü", "festmenü", "teekarte", "cocktailkarte", "barkarte", "frühstückskarte", "brunchkarte", "dessertkarte", "saisonkarte", "spargelkarte", "abendkarte", "bierkarte", "ice cream board", "eistafel", "speisetafel", "kreidetafel", "tagestafel", "ardoise", "carte du midi", "carte du jour", "carte du soir", "pricing page", "menu board", "menuboard", "قائمة أسعار", "قائمة الأسعار", "قائمة", "pricing sheet", "pricing table", "price sheet", "prices sheet", "pricing overview", "tarif", "เมนู", "मेन्यू",
            "drinks menu", "lunch menu", "dinner menu", "menu", "menü", "speisekarte", "getränkekarte", "weinkarte", "eiskarte", "mittagskarte", "wochenkarte",
            "kaffeekarte", "tageskarte", "preisliste", "price list", "pricelist", "fee guide", "fee list", "tariff board", "rate card", "price board", "preistafel", "preisaushang",
            "carte des vins", "carte", "carta", "menú", "lista de precios", "liste de prix", "tarifs", "listino", "listino prezzi", "меню",
            "прайс-лист", "μενού", "תפריט", "قائمة الطعام", "メニュー", "菜单", "메뉴", "menu card", "cocktail card", "cocktail menu", "cocktail list", "drinks list", "drinks card", "wine list", "treatments list", "treatment menu", "service menu", "price table", "cardápio", "cardapio", "ementa", "getränketafel", "菜單",
        ],
    },
    Form {
        kind: Kind::Certificate,
        names: &[
            "certificate", "zertifikat", "urkunde", "diploma", "diplom", "award certificate", "certificat", "diplôme", "certificado", "certificato",
            "attestato", "teilnahmebescheinigung", "teilnahmebestätigung", "сертификат", "грамота", "証明書", "賞状", "证书",
        ],
    },
    Form {
        kind: Kind::Carousel,
        names: &[
            "swipe post", "swipeable post", "slideshow post", "swipe carousel",
            "instagram carousel", "linkedin carousel", "carousel", "karussell", "carrousel", "carrusel", "carosello",
        ],
    },
    Form {
        kind: Kind::Story,
        names: &[
            "instagram story", "insta story", "instagram-story", "insta-story", "story", "reel", "storia", "stories",
        ],
    },
    Form {
        kind: Kind::Post,
        names: &[
            "इंस्टाग्राम पोस्ट", "पोस्ट", "โพสต์", "منشور إنستغرام", "linkedin image", "instagram image", "instagram tile", "facebook image",
            "carré instagram", "carré insta", "visuel instagram", "visuel", "instagram square", "insta square", "instagram-quadrat", "obrazek", "instagram post", "linkedin post", "facebook post", "social media post", "social post", "insta post", "instagram-post", "linkedin-post",
            "facebook-post", "insta-post", "tweet-bild", "post-bild", "instagram-bild", "tweet", "post", "beitrag", "posting", "publication", "publicación", "quote card", "quote graphic",
            "zitatkachel", "kachel", "social tile", "tile", "announcement graphic", "social graphic", "graphic", "youtube thumbnail", "thumbnail",
            "投稿", "פוסט", "게시물", "帖子",
        ],
    },
    Form {
        kind: Kind::Diagram,
        names: &[
            "循环图", "循環圖", "示意图", "示意圖", "时间轴", "時間軸", "组织结构图", "組織結構圖", "swimlanes", "swimlane diagram", "2x2 matrix", "matrix", "matriz", "matrice", "quadrants", "quadrant", "sequence diagram", "architecture picture", "funnel", "decision chart", "state diagram",
            "org structure", "organisation structure", "organization structure", "organigram", "organogram",
            "diagramma di flusso", "diagrama de flujo", "diagramme de flux", "logigramme", "organigrama", "organigramma",
            "flow chart", "flowchart", "process diagram", "process flow", "flow diagram", "diagram", "flow", "diagramm", "ablaufdiagramm",
            "flussdiagramm", "prozessdiagramm", "organigramm", "org chart", "orgchart", "organisation chart", "organization chart", "mind map",
            "mindmap", "schaubild", "decision tree", "entscheidungsbaum", "diagramme", "organigramme", "diagrama", "diagramma", "schema", "schéma",
            "architecture diagram", "customer journey", "swimlane", "swimlane-diagramm", "swimlane-diagram", "swim lane diagram", "swimlane chart", "swimlane flowchart",
            "swim lanes", "schwimmbahnendiagramm", "schwimmbahnen", "schwimmbahn-diagramm", "cross-functional flowchart", "cross functional flowchart",
            "cross-functional diagram", "cross-functional flow", "diagramme à couloirs", "diagrama de carriles", "timeline", "zeitstrahl", "圖表", "схема", "диаграмма", "διάγραμμα", "フローチャート",
            "流程图",
        ],
    },
    Form {
        kind: Kind::OnePager,
        names: &[
            "one-pager", "one pager", "onepager", "faq page", "faq sheet", "faq-seite", "faq-blatt", "info page", "info sheet", "infoseite", "infoblatt", "fact sheet", "factsheet", "one-page summary", "cheat sheet", "checklist", "checkliste",
            "data sheet", "datasheet", "datenblatt", "steckbrief", "merkblatt", "fiche", "programme", "program", "programm", "agenda", "tagesordnung",
            "letter", "brief", "lettre", "lettera", "recipe", "rezept", "rezeptkarte", "recipe card", "packing list", "packliste", "お便り", "お知らせ文",
        ],
    },
    Form {
        kind: Kind::Document,
        names: &[
            "order of service", "anleitung", "kurzanleitung", "gebrauchsanleitung", "meeting notes", "release notes", "press release", "pressemitteilung", "cv", "résumé", "lebenslauf", "curriculum vitae", "quote sheet", "invoice", "rechnung", "devis", "preventivo", "presupuesto",
            "document", "dokument", "essay", "report", "bericht", "proposal", "angebot", "white paper", "whitepaper", "guide", "leitfaden",
            "handbook", "handbuch", "manual", "brochure", "broschüre", "booklet", "newsletter", "case study", "fallstudie", "documento", "rapport",
            "informe", "relazione", "propuesta", "guía", "guida", "minutes", "protokoll", "verbale", "compte rendu", "compte-rendu", "procès-verbal", "acta de la reunión", "memo", "paper", "pdf", "concept paper", "konzept",
            "policy", "manifest", "отчёт", "отчет", "報告書", "报告",
        ],
    },
    Form {
        kind: Kind::Screen,
        names: &[
            "dashboard", "app screen", "mobile app", "landing page", "website", "web page", "homepage", "app", "screen", "wireframe", "mockup", "ui",
            "overview", "startseite", "webseite", "login screen",
        ],
    },
    Form {
        kind: Kind::Infographic,
        names: &[
            "infographic", "infografik", "infographie", "infografía", "infografica", "инфографика",
        ],
    },
];

/// A kind that a text names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Named {
    /// The kind.
    pub kind: Kind,
    /// Where its name begins in the text.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// Whether the name is the end of a longer word: “Konzertplakat”.
    pub is_compound: bool,
}

/// The kind that a text names first; of names at one place the longest.
pub fn find(text: &str) -> Option<Named> {
    all(text)
        .into_iter()
        .filter(|named| {
            !is_where(text, named) && !is_asked_about(text, named) && !is_object(text, named) && !is_sold(text, named)
        })
        .min_by_key(|named| (named.start, std::cmp::Reverse(named.end), named.is_compound))
}

/// “A story about Des is plenty”: what begins with an article and goes on with a verb says something and asks for nothing.
pub fn tells_of_itself(lower: &str) -> bool {
    let first = lower.split_whitespace().next().unwrap_or_default();
    is_determiner(first)
        && !lower.contains(',')
        && [" is ", " are ", " was ", " ist ", " sind ", " war ", " est ", " sont ", " es ", " son ", " è ", " sono "]
            .iter()
            .any(|verb| {
                lower.split_once(verb).is_some_and(|(before, behind)| {
                    find(before).is_some()
                        && !behind.contains("need")
                        && !behind.contains("want")
                        && behind.split_whitespace().count() <= 4
                })
            })
}

/// Whether the name of a kind is that of a vacancy.
pub fn is_vacancy(name: &str) -> bool {
    matches!(
        name.to_lowercase().as_str(),
        "job ad"
            | "job advert"
            | "job advertisement"
            | "vacancy notice"
            | "stellenanzeige"
            | "stellenausschreibung"
            | "offre d'emploi"
            | "oferta de empleo"
            | "annuncio di lavoro"
    )
}

/// Whether a text is the name of a kind and nothing else.
pub fn is_name(text: &str) -> bool {
    let text = text.trim();
    find(text).is_some_and(|named| named.start == 0 && named.end == text.len())
}

/// “how a ticket moves in our team”: what a question is about is not what is asked for, unless that is a diagram.
fn is_asked_about(text: &str, named: &Named) -> bool {
    let clause = text[..named.start].rsplit([',', ':', ';', '.', '–']).next().unwrap_or_default();
    let first = clause.split_whitespace().next().unwrap_or_default().to_lowercase();
    named.kind != Kind::Diagram
        && matches!(first.as_str(), "how" | "why" | "wie" | "warum" | "comment" | "cómo" | "perché")
}

/// “a picture for the website”: a screen behind such a word is where the thing is shown.
fn is_where(text: &str, named: &Named) -> bool {
    let before = text[..named.start].trim_end().to_lowercase();
    named.kind == Kind::Screen
        && [
            " for the",
            " for our",
            " for",
            " on the",
            " on our",
            " für die",
            " für unsere",
            " auf die",
            " auf der",
            " pour le",
            " para la",
            " per il",
        ]
        .iter()
        .any(|lead| before.ends_with(lead))
}

/// “Einzelstunde 14 €, Zehnerkarte 120 €”: a ticket that has its price is sold, and not asked for.
fn is_sold(text: &str, named: &Named) -> bool {
    let behind = text[named.end..].trim_start_matches([' ', ':', '–']);
    named.is_compound
        && named.kind == Kind::Card
        && behind.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '€' | '£' | '$'))
}

/// “bring a dish and a story”: what guests shall bring or tell is theirs, and no thing to be made.
fn is_object(text: &str, named: &Named) -> bool {
    let before = text[..named.start].to_lowercase();
    // “send your CV”, “no CV needed”, “avec un CV”: the life of those who apply.
    if matches!(
        text[named.start..named.end].to_lowercase().as_str(),
        "cv" | "cvs" | "résumé" | "lebenslauf" | "curriculum vitae"
    ) && text::words(&before).iter().rev().take(2).any(|word| {
        matches!(
            word.as_str(),
            "your"
                | "no"
                | "with"
                | "dein"
                | "deinen"
                | "ihr"
                | "ihren"
                | "mit"
                | "ohne"
                | "kein"
                | "keinen"
                | "votre"
                | "avec"
                | "sans"
                | "tu"
                | "su"
                | "con"
                | "sin"
                | "tuo"
                | "suo"
                | "senza"
        )
    }) {
        return true;
    }
    let words = text::words(before.rsplit([',', ':', ';', '.', '!', '?', '–', '\n', '(']).next().unwrap_or_default());
    let Some(verb) = words.iter().rposition(|word| OF_GUESTS.contains(&word.as_str())) else { return false };
    // “Book flyer”: only behind an article or one who owns it is it what somebody does something with.
    let behind = &words[verb + 1..];
    words.len() <= 9
        && behind.last().is_some_and(|word| is_determiner(word))
        && behind.iter().filter(|word| !is_determiner(word)).count() <= 3
        && !behind.iter().any(|word| matches!(word.as_str(), "for" | "to" | "für" | "on" | "auf"))
}

/// The names of all kinds by their first byte: a text is gone through once, and not once for each name.
static BY_FIRST_BYTE: LazyLock<[Vec<(&str, Kind)>; 256]> = LazyLock::new(|| {
    let mut names = [const { Vec::new() }; 256];
    for form in FORMS {
        for name in form.names {
            names[usize::from(name.as_bytes()[0])].push((*name, form.kind));
        }
    }
    names
});

/// Every kind that a text names, in the order of the text.
pub fn all(text: &str) -> Vec<Named> {
    let lower = text.to_lowercase();
    if lower.len() != text.len() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, first) in lower.bytes().enumerate() {
        // Only the first byte of a letter begins a name.
        for (name, kind) in &BY_FIRST_BYTE[usize::from(first)] {
            if lower.as_bytes()[at..].starts_with(name.as_bytes()) {
                found.extend(named_at(&lower, at, name, *kind));
            }
        }
    }
    found
}

fn named_at(lower: &str, at: usize, name: &str, kind: Kind) -> Option<Named> {
    let mut end = at + name.len();
    let is_spaceless =
        name.chars().next().is_some_and(|letter| letter as u32 >= 0x2e80 || ('\u{e00}'..='\u{e7f}').contains(&letter));
    let behind = &lower[end..];
    // A plural or a case may follow: posters, plakate, einladungen.
    let tail: String = behind.chars().take_while(|letter| letter.is_alphanumeric()).collect();
    if !is_spaceless && !tail.is_empty() {
        if !matches!(tail.as_str(), "s" | "e" | "es" | "n" | "en") {
            return None;
        }
        end += tail.len();
    }
    // “45 minutes” are no minutes of a meeting.
    let counted = lower[..at].split_whitespace().next_back().is_some_and(|word| word.parse::<u32>().is_ok());
    if counted && name == "minutes" {
        return None;
    }
    // “Two deputies report to her”, “who reports directly to whom”: what somebody does.
    if name == "report"
        && ["to", "directly to"].iter().any(|to| lower[end..].trim_start().starts_with(&format!("{to} ")))
    {
        return None;
    }
    // “Post-mortem”, “menu-driven”: the first part of a longer word.
    let mut next = lower[end..].chars();
    if next.next() == Some('-') && next.next().is_some_and(char::is_alphabetic) {
        return None;
    }
    let before = lower[..at].chars().next_back();
    let is_joined = before.is_some_and(char::is_alphanumeric) && !is_spaceless;
    // Only German builds words so; short names would be found within others.
    if is_joined && name.chars().count() < 5 {
        return None;
    }
    let first = lower[..at]
        .rfind(|letter: char| !letter.is_alphanumeric() && letter != '-')
        .map_or(0, |place| place + lower[place..].chars().next().map_or(1, char::len_utf8));
    let is_compound = is_joined
        && matches!(
            name,
            "plakat"
                | "einladung"
                | "karte"
                | "urkunde"
                | "präsentation"
                | "diagramm"
                | "beitrag"
                | "bericht"
                | "broschüre"
                | "programm"
                | "leitfaden"
                | "protokoll"
                | "folien"
                | "flyer"
                | "poster"
                | "karten"
                | "vortrag"
                | "konzept"
                | "dokument"
                | "angebot"
        );
    if is_joined && !is_compound {
        return None;
    }
    Some(Named { kind, start: if is_compound { first } else { at }, end, is_compound })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_kinds_by_their_names() {
        for (text, kind) in [
            ("Poster for the summer fair", Kind::Poster),
            ("wedding invitation for Ana and Leo", Kind::Invitation),
            ("Hochzeitseinladung", Kind::Invitation),
            ("Konzertplakat für den Chor", Kind::Poster),
            ("an Instagram story about the sale", Kind::Story),
            ("business card for Ada", Kind::BusinessCard),
            ("pitch deck, 8 slides", Kind::Deck),
            ("Speisekarte", Kind::Menu),
            ("夏祭りのポスター", Kind::Poster),
        ] {
            assert_eq!(find(text).map(|named| named.kind), Some(kind), "{text}");
        }
        assert_eq!(find("postpone the signal"), None);
    }

    #[test]
    fn what_guests_bring_is_no_kind() {
        for text in
            ["Bring a story", "please bring a dish and a story", "bringt eine Karte mit", "Share your story with us"]
        {
            assert_eq!(find(text), None, "{text}");
        }
        for text in
            ["Bring the party to life: poster for the gym", "Bring your own invitation. Card for Tom", "Book flyer"]
        {
            assert!(find(text).is_some(), "{text}");
        }
    }
}
