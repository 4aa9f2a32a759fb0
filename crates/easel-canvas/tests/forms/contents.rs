//! Plain contents: what somebody wants to have made, apart from the form in which they paste it.
//!
//! Every text of a content is a fact that must stand on a page, save the names of fields, lists and columns. Deliberately not
//! here: forms (`surfaces`).

use easel_canvas::Category;

/// What somebody wants to have made.
pub struct Content {
    /// By which the tests call it.
    pub name: &'static str,
    /// What it is to become.
    pub category: Category,
    /// The sentence that asks, without its full stop; nothing of it is content.
    pub ask: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// Names of fields and what they say.
    pub fields: &'static [(&'static str, &'static str)],
    /// The name of a list and its items.
    pub list: Option<(&'static str, &'static [&'static str])>,
    /// The names of columns.
    pub head: &'static [&'static str],
    /// The rows of a table.
    pub rows: &'static [&'static [&'static str]],
    /// What somebody said, and who.
    pub quote: Option<(&'static str, &'static str)>,
}

/// A content of which nothing is told yet.
const NOTHING: Content = Content {
    name: "",
    category: Category::Slides,
    ask: "",
    title: "",
    fields: &[],
    list: None,
    head: &[],
    rows: &[],
    quote: None,
};

impl Content {
    /// The texts that must stand on its pages.
    pub fn facts(&self) -> Vec<&'static str> {
        let mut facts = vec![self.title];
        facts.extend(self.fields.iter().map(|(_, value)| *value));
        facts.extend(self.list.iter().flat_map(|(_, items)| items.iter()));
        facts.extend(self.rows.iter().flat_map(|row| row.iter()));
        facts.extend(self.quote.iter().flat_map(|(words, by)| [*words, *by]));
        facts
    }
}

/// All contents.
pub const CONTENTS: &[Content] = &[
    Content {
        name: "event",
        category: Category::Other,
        ask: "Please make a poster",
        title: "Lantern Walk",
        fields: &[
            ("Date", "Saturday 14 November"),
            ("Time", "6:30 pm"),
            ("Place", "Mill Pond, Harrow Lane"),
            ("Entry", "free"),
            ("Contact", "lanterns@millpond.example"),
        ],
        list: Some(("Bring", &["warm shoes", "a torch", "a flask of tea"])),
        ..NOTHING
    },
    Content {
        name: "prices",
        category: Category::Other,
        ask: "Please make a price list",
        title: "Saddle Row Cycles",
        fields: &[("Open", "Tue to Sat, 9 to 17"), ("Phone", "01947 555 018")],
        head: &["Service", "Price"],
        rows: &[&["Puncture", "£12"], &["Brake check", "£18.50"], &["Full service", "£75"], &["Wheel truing", "£22"]],
        ..NOTHING
    },
    Content {
        name: "team",
        category: Category::Slides,
        ask: "Please make slides",
        title: "Harbour Clinic",
        fields: &[("Founded", "2009 in Whitby")],
        head: &["Name", "Role"],
        rows: &[
            &["Ines Duarte", "head of nursing"],
            &["Tom Okafor", "surgeon"],
            &["Mina Feld", "pharmacist"],
            &["Raj Patel", "night porter"],
        ],
        ..NOTHING
    },
    Content {
        name: "numbers",
        category: Category::Slides,
        ask: "Please make slides",
        title: "Co-op report 2025",
        fields: &[
            ("Members", "1,240 households"),
            ("Turnover", "€3.6m"),
            ("Share of local farms", "62%"),
            ("Waste", "14 tonnes"),
            ("Delivery", "38 minutes on average"),
        ],
        ..NOTHING
    },
    Content {
        name: "timetable",
        category: Category::Pdf,
        ask: "Please make a document",
        title: "Beekeepers' Day",
        fields: &[("Where", "Village hall, Thornley")],
        head: &["Time", "Session", "Room"],
        rows: &[
            &["09:30", "Arrival and tea", "Foyer"],
            &["10:15", "Reading a frame", "Main hall"],
            &["12:45", "Lunch", "Orchard"],
            &["14:00", "Treating mites", "Workshop"],
        ],
        ..NOTHING
    },
    Content {
        name: "steps",
        category: Category::Slides,
        ask: "Please make slides",
        title: "Sourdough in a day",
        fields: &[("Makes", "two loaves")],
        list: Some((
            "Method",
            &[
                "Feed the starter at breakfast",
                "Mix 800 g flour with 560 g water",
                "Fold every 30 minutes",
                "Bake at 240 degrees",
            ],
        )),
        ..NOTHING
    },
    Content {
        name: "contacts",
        category: Category::Pdf,
        ask: "Please make a document",
        title: "Street wardens",
        head: &["Warden", "Phone", "Mail"],
        rows: &[
            &["Olive Marsh", "020 7946 0011", "olive@elmstreet.example"],
            &["Dan Novak", "020 7946 0022", "dan@elmstreet.example"],
            &["Wu Fang", "020 7946 0033", "wu@elmstreet.example"],
        ],
        ..NOTHING
    },
    Content {
        name: "quotation",
        category: Category::Social,
        ask: "Please make a post",
        title: "Ten years of repair café",
        quote: Some(("I came with a toaster and left with friends", "Hanna Weiss")),
        fields: &[("Next", "Sunday 8 June"), ("Address", "Dock Street 4")],
        ..NOTHING
    },
    Content {
        name: "comparison",
        category: Category::Slides,
        ask: "Please make slides",
        title: "Moving to the new till",
        head: &["Feature", "Old till", "New till"],
        rows: &[
            &["Card payment", "adds 2.9%", "adds 1.1%"],
            &["Receipt", "paper only", "paper or mail"],
            &["Start", "four minutes", "twelve seconds"],
        ],
        ..NOTHING
    },
    Content {
        name: "german",
        category: Category::Other,
        ask: "Bitte mach ein Plakat",
        title: "Hofkonzert",
        fields: &[
            ("Datum", "Freitag, 12. Juni"),
            ("Beginn", "19:30 Uhr"),
            ("Ort", "Kulturhof Süd, Gartenstraße 9"),
            ("Eintritt", "8 €, ermäßigt 5 €"),
        ],
        list: Some(("Es spielen", &["Trio Morgenrot", "Anke Vogt", "Die Kellerkinder"])),
        ..NOTHING
    },
    Content {
        name: "french",
        category: Category::Other,
        ask: "Merci de faire une carte",
        title: "Chez Mirabelle",
        fields: &[("Horaires", "mardi au samedi, 12h à 22h")],
        head: &["Plat", "Prix"],
        rows: &[&["Soupe à l'oignon", "7 €"], &["Tarte aux poireaux", "11,50 €"], &["Crème brûlée", "6 €"]],
        ..NOTHING
    },
    Content {
        name: "spanish",
        category: Category::Slides,
        ask: "Haz unas diapositivas por favor",
        title: "Biblioteca del Puerto",
        fields: &[("Socios", "2.310 personas"), ("Préstamos", "48.000 libros al año")],
        list: Some(("Planes", &["abrir los domingos", "sala para niños", "club de lectura"])),
        ..NOTHING
    },
    Content {
        name: "greek",
        category: Category::Other,
        ask: "Φτιάξε μια αφίσα",
        title: "Γιορτή του λιμανιού",
        fields: &[("Ημερομηνία", "Σάββατο 5 Ιουλίου"), ("Ώρα", "20:00"), ("Τόπος", "Παλιό λιμάνι")],
        list: Some(("Πρόγραμμα", &["χορός", "φαγητό", "πυροτεχνήματα"])),
        ..NOTHING
    },
    Content {
        name: "japanese",
        category: Category::Other,
        ask: "ポスターを作ってください",
        title: "夏の朗読会",
        fields: &[("日時", "7月18日 14時"), ("会場", "中央図書館"), ("料金", "500円")],
        list: Some(("出演", &["山田花子", "佐藤健", "鈴木一郎"])),
        ..NOTHING
    },
    Content {
        name: "arabic",
        category: Category::Other,
        ask: "من فضلك صمم ملصقا",
        title: "أمسية شعرية",
        fields: &[("التاريخ", "الخميس 9 أكتوبر"), ("المكان", "بيت المدينة"), ("الدخول", "مجاني")],
        list: Some(("الشعراء", &["ليلى حداد", "كريم ناصر", "سلمى عمر"])),
        ..NOTHING
    },
];
