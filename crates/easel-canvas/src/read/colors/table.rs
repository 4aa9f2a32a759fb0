//! Names of colours in English, German, French, Spanish and Italian, and the words that change them.

use crate::color::Oklch;

const fn lch(l: f32, c: f32, h: f32) -> Oklch {
    Oklch::new(l, c, h)
}

const BLACK: Oklch = lch(0.19, 0.003, 80.0);
const WHITE: Oklch = lch(0.992, 0.001, 80.0);
const GREY: Oklch = lch(0.60, 0.006, 250.0);
const SILVER: Oklch = lch(0.76, 0.008, 250.0);
const ANTHRACITE: Oklch = lch(0.31, 0.008, 250.0);
const BEIGE: Oklch = lch(0.925, 0.030, 80.0);
const CREAM: Oklch = lch(0.965, 0.022, 88.0);
const SAND: Oklch = lch(0.885, 0.042, 82.0);
const NAVY: Oklch = lch(0.34, 0.11, 262.0);
const BLUE: Oklch = lch(0.53, 0.19, 258.0);
const ROYAL: Oklch = lch(0.48, 0.20, 263.0);
const SKY: Oklch = lch(0.72, 0.12, 235.0);
const TEAL: Oklch = lch(0.55, 0.10, 195.0);
const PETROL: Oklch = lch(0.43, 0.075, 215.0);
const TURQUOISE: Oklch = lch(0.72, 0.12, 190.0);
const MINT: Oklch = lch(0.78, 0.09, 165.0);
const GREEN: Oklch = lch(0.55, 0.15, 148.0);
const FOREST: Oklch = lch(0.40, 0.10, 150.0);
const EMERALD: Oklch = lch(0.55, 0.13, 160.0);
const LIME: Oklch = lch(0.80, 0.20, 125.0);
const OLIVE: Oklch = lch(0.52, 0.09, 115.0);
const SAGE: Oklch = lch(0.62, 0.06, 140.0);
const YELLOW: Oklch = lch(0.86, 0.17, 95.0);
const GOLD: Oklch = lch(0.76, 0.13, 84.0);
const MUSTARD: Oklch = lch(0.74, 0.14, 85.0);
const OCHRE: Oklch = lch(0.68, 0.12, 75.0);
const ORANGE: Oklch = lch(0.70, 0.18, 52.0);
const PEACH: Oklch = lch(0.83, 0.09, 55.0);
const CORAL: Oklch = lch(0.70, 0.16, 28.0);
const TERRACOTTA: Oklch = lch(0.58, 0.13, 42.0);
const RUST: Oklch = lch(0.53, 0.14, 40.0);
const COPPER: Oklch = lch(0.60, 0.11, 50.0);
const RED: Oklch = lch(0.57, 0.21, 27.0);
const BURGUNDY: Oklch = lch(0.38, 0.13, 15.0);
const PINK: Oklch = lch(0.72, 0.16, 355.0);
const ROSE: Oklch = lch(0.78, 0.10, 5.0);
const BLUSH: Oklch = lch(0.86, 0.055, 15.0);
const MAGENTA: Oklch = lch(0.60, 0.24, 345.0);
const PURPLE: Oklch = lch(0.50, 0.20, 302.0);
const VIOLET: Oklch = lch(0.53, 0.22, 295.0);
const PLUM: Oklch = lch(0.40, 0.13, 325.0);
const LAVENDER: Oklch = lch(0.72, 0.10, 300.0);
const BROWN: Oklch = lch(0.45, 0.08, 55.0);

/// Colours that people name, at the lightness and strength in which they mean them.
#[rustfmt::skip]
pub const NAMES: &[(&str, Oklch)] = &[
    ("black", BLACK), ("schwarz", BLACK), ("noir", BLACK), ("noire", BLACK), ("negro", BLACK), ("nero", BLACK), ("preto", BLACK), ("zwart", BLACK),
    ("white", WHITE), ("weiß", WHITE), ("weiss", WHITE), ("blanc", WHITE), ("blanche", WHITE), ("blanches", WHITE), ("blanco", WHITE),
    ("bianco", WHITE), ("branco", WHITE), ("wit", WHITE),
    ("grey", GREY), ("gray", GREY), ("grau", GREY), ("gris", GREY), ("grise", GREY), ("grises", GREY), ("grigio", GREY), ("cinza", GREY), ("grijs", GREY),
    ("silver", SILVER), ("silber", SILVER), ("silbern", SILVER), ("argenté", SILVER), ("plateado", SILVER), ("argento", SILVER), ("argentato", SILVER),
    ("anthracite", ANTHRACITE), ("anthrazit", ANTHRACITE), ("antracita", ANTHRACITE), ("antracite", ANTHRACITE), ("charcoal", ANTHRACITE),
    ("beige", BEIGE), ("taupe", lch(0.60, 0.025, 60.0)), ("cream", CREAM), ("creme", CREAM), ("crème", CREAM), ("crema", CREAM), ("ivory", CREAM),
    ("elfenbein", CREAM), ("ivoire", CREAM), ("marfil", CREAM), ("avorio", CREAM), ("écru", CREAM), ("champagner", BEIGE), ("sand", SAND),
    ("sable", SAND), ("arena", SAND), ("sabbia", SAND),
    ("navy", NAVY), ("marineblau", NAVY), ("marine", NAVY), ("marino", NAVY), ("nachtblau", NAVY), ("midnight", NAVY), ("blu", NAVY), ("royal", ROYAL),
    ("indigo", lch(0.42, 0.17, 275.0)), ("blue", BLUE), ("blau", BLUE), ("bleu", BLUE), ("bleue", BLUE), ("bleues", BLUE), ("azul", BLUE),
    ("azules", BLUE), ("azzurro", SKY), ("blauw", BLUE), ("sky", SKY), ("ciel", SKY), ("celeste", SKY), ("cyan", SKY), ("aqua", TURQUOISE),
    ("teal", TEAL), ("blaugrün", TEAL), ("canard", PETROL), ("petrol", PETROL), ("turquoise", TURQUOISE), ("türkis", TURQUOISE),
    ("turquesa", TURQUOISE), ("turchese", TURQUOISE), ("mint", MINT), ("menthe", MINT), ("menta", MINT),
    ("green", GREEN), ("grün", GREEN), ("vert", GREEN), ("verte", GREEN), ("vertes", GREEN), ("verde", GREEN), ("verdi", GREEN), ("groen", GREEN),
    ("emerald", EMERALD), ("smaragd", EMERALD), ("smaragdgrün", EMERALD), ("émeraude", EMERALD), ("esmeralda", EMERALD), ("smeraldo", EMERALD),
    ("forest", FOREST), ("bottle", FOREST), ("sapin", FOREST), ("lime", LIME), ("limette", LIME), ("olive", OLIVE), ("oliv", OLIVE), ("oliva", OLIVE), ("khaki", OLIVE),
    ("sage", SAGE), ("salbei", SAGE), ("sauge", SAGE), ("salvia", SAGE),
    ("yellow", YELLOW), ("gelb", YELLOW), ("jaune", YELLOW), ("amarillo", YELLOW), ("giallo", YELLOW), ("amarelo", YELLOW), ("geel", YELLOW), ("lemon", YELLOW), ("zitrone", YELLOW),
    ("gold", GOLD), ("golden", GOLD), ("goldig", GOLD), ("doré", GOLD), ("dorée", GOLD), ("dorés", GOLD), ("d'or", GOLD), ("dorado", GOLD), ("oro", GOLD), ("dorato", GOLD),
    ("dourado", GOLD), ("brass", GOLD), ("messing", GOLD), ("mustard", MUSTARD), ("senf", MUSTARD), ("moutarde", MUSTARD), ("mostaza", MUSTARD), ("senape", MUSTARD),
    ("amber", lch(0.77, 0.16, 70.0)), ("bernstein", lch(0.77, 0.16, 70.0)), ("ochre", OCHRE), ("ocker", OCHRE), ("ocre", OCHRE), ("ocra", OCHRE), ("orange", ORANGE),
    ("naranja", ORANGE), ("arancione", ORANGE), ("arancio", ORANGE), ("laranja", ORANGE), ("oranje", ORANGE), ("peach", PEACH), ("pfirsich", PEACH), ("apricot", PEACH), ("aprikose", PEACH),
    ("pêche", PEACH), ("melocotón", PEACH), ("pesca", PEACH), ("coral", CORAL), ("koralle", CORAL), ("korall", CORAL), ("corail", CORAL), ("corallo", CORAL), ("salmon", CORAL), ("lachs", CORAL),
    ("saumon", CORAL), ("terracotta", TERRACOTTA), ("terrakotta", TERRACOTTA), ("terracota", TERRACOTTA), ("rust", RUST), ("rost", RUST), ("rouille", RUST),
    ("brick", RUST), ("copper", COPPER), ("kupfer", COPPER), ("cuivre", COPPER), ("cobre", COPPER), ("rame", COPPER), ("bronze", COPPER), ("red", RED),
    ("rot", RED), ("rouge", RED), ("rojo", RED), ("rosso", RED), ("vermelho", RED), ("rood", RED), ("scarlet", RED), ("crimson", lch(0.50, 0.19, 20.0)),
    ("burgundy", BURGUNDY), ("bordeaux", BURGUNDY), ("burdeos", BURGUNDY), ("maroon", BURGUNDY), ("weinrot", BURGUNDY), ("granate", BURGUNDY), ("granata", BURGUNDY),
    ("wine", BURGUNDY), ("pink", PINK), ("rosa", PINK), ("rose", ROSE), ("altrosa", ROSE), ("roze", PINK), ("blush", BLUSH), ("magenta", MAGENTA),
    ("fuchsia", MAGENTA), ("fucsia", MAGENTA), ("purple", PURPLE), ("lila", PURPLE), ("violet", VIOLET), ("violett", VIOLET), ("violette", VIOLET), ("violettes", VIOLET), ("violeta", VIOLET),
    ("viola", VIOLET), ("morado", PURPLE), ("roxo", PURPLE), ("paars", PURPLE), ("plum", PLUM), ("prune", PLUM), ("aubergine", PLUM), ("pflaume", PLUM),
    ("lavender", LAVENDER), ("lavendel", LAVENDER), ("lavande", LAVENDER), ("lavanda", LAVENDER), ("lilac", LAVENDER), ("flieder", LAVENDER), ("lilas", LAVENDER), ("lilla", LAVENDER),
    ("mauve", LAVENDER), ("malva", LAVENDER), ("brown", BROWN), ("braun", BROWN), ("marron", BROWN), ("marrón", BROWN), ("marrone", BROWN), ("brun", BROWN), ("bruin", BROWN),
    ("chocolate", lch(0.37, 0.06, 50.0)), ("tan", lch(0.74, 0.06, 70.0)), ("camel", lch(0.70, 0.08, 70.0)),
];

/// Names that are as often those of other things; alone they are no colour.
#[rustfmt::skip]
pub const DOUBTFUL: &[&str] = &[
    "sand", "sable", "arena", "sabbia", "marine", "marino", "midnight", "royal", "sky", "ciel", "celeste", "canard", "petrol", "mint", "menthe", "menta",
    "smaragd", "esmeralda", "forest", "bottle", "sapin", "lime", "limette", "olive", "oliva", "sage", "salbei", "sauge", "salvia", "lemon", "zitrone",
    "gold", "golden", "d'or", "oro", "silver", "silber", "argento", "bronze", "brass", "messing", "mustard", "senf", "moutarde", "mostaza", "senape", "amber",
    "bernstein", "orange", "naranja", "arancia", "laranja", "peach", "pfirsich", "apricot", "aprikose", "pêche", "melocotón", "pesca", "salmon", "lachs",
    "saumon", "rust", "rost", "rouille", "brick", "copper", "kupfer", "cuivre", "cobre", "rame", "wine", "granate", "granata", "rose", "blush", "viola", "plum",
    "prune", "aubergine", "pflaume", "lavender", "lavendel", "lavande", "lavanda", "lilas", "flieder", "chocolate", "tan", "camel", "cream", "crema", "crème",
    "koralle", "coral", "aqua", "champagner", "wit", "geel", "menthes", "roses", "lemons", "oranges", "olives", "creme", "naranjas", "plums",
];

/// Words that make a colour darker.
#[rustfmt::skip]
pub const DEEP: &[&str] = &[
    "dark", "deep", "dunkles", "dunkle", "dunklem", "dunklen", "dunkler", "dunkel", "tiefes", "tiefem", "foncé", "foncée", "foncés", "sombre", "profond", "nuit", "oscuro", "oscura",
    "scuro", "scura", "notte", "noche", "profundo", "intenso", "donker",
];

/// Words that make a colour lighter.
#[rustfmt::skip]
pub const PALE: &[&str] = &[
    "light", "pale", "baby", "helles", "helle", "hellem", "hellen", "heller", "hell", "zartes", "zarte", "zartem", "clair", "claire", "clairs", "pâle", "claro", "clara",
    "claros", "pálido", "palo", "chiaro", "chiara", "pallido", "licht",
];

/// Words that make a colour one of pastel.
pub const SOFT: &[&str] =
    &["pastel", "pastell", "pastello", "powder", "dusty", "soft", "poudré", "antico", "cipria", "muted"];

/// Words before a colour that refuse it.
#[rustfmt::skip]
pub const REFUSING: &[&str] = &[
    "no", "not", "without", "never", "avoid", "don't", "kein", "keine", "keinen", "nicht", "ohne", "bloß", "pas", "sans", "jamais", "sin", "nada", "non",
    "senza", "niente", "evita", "évite", "geen", "sem",
];

/// Words behind which a refusal ends: “not blue but green”.
pub const TURNS: &[&str] =
    &["but", "aber", "sondern", "lieber", "rather", "mais", "plutôt", "sino", "pero", "ma", "instead", "better"];

/// Words that make a name before them that of a thing.
#[rustfmt::skip]
pub const THINGS: &[&str] = &[
    "space", "spaces", "tie", "friday", "board", "boards", "paper", "wine", "card", "cross", "belt", "label", "tea", "coffee", "bread", "out", "juice", "medal",
    "medals", "standard", "member", "members", "partner", "sponsor", "sponsors", "party", "hour",
];
