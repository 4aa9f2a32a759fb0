//! Words that speak of how a thing shall look or sound, or whom it is for, and never of what it says.
//!
//! A clause made of these words is an instruction. A word that people also say of what they sell (“fresh”, “handmade”) is
//! only one where every other word of its clause is one too.

use super::{colors, text};

/// How something shall look or sound: English, German, then some French, Spanish and Italian.
#[rustfmt::skip]
pub const STYLE: &[&str] = &[
    "tough", "bg", "ordentlich", "hübsch", "chaudes", "chauds", "chaude", "chaud", "froides", "sombres", "claires", "vives", "gaies",
    "leggibile", "leggibili", "legibles", "leserlich", "druckbar", "printable", "sencillos", "sencillas", "frescos", "frescas", "colorato", "colorata", "vivace", "festoso", "festosa",
    "minimale", "essenziale", "rústico", "rústica", "infantil", "divertido", "divertida", "colorée", "douces", "sérieux", "sérieuse", "lebendig", "heimelig",
    "scary", "shouty", "preachy", "babyish", "kindisch", "kindische", "aufdringlich", "belehrend", "grande", "grandes", "grandi", "pequeño", "pequeña",
    "credible", "glossy", "sporty", "dirty", "behördlich", "champêtre", "restrained", "typewriter", "chalkboard", "square", "carré",
    "monochrome", "typographic", "handwritten", "handwriting", "swipeable", "quadratisch", "verticale", "orizzontale", "quer", "hochkant",
    "laminiert", "laminated", "vintage", "cosy", "cozy", "autumnal", "funny",
    "professional", "literary", "modern", "clean", "simple", "minimal", "minimalist", "minimalistic", "dark", "light", "bright", "warm", "cool",
    "cold", "quiet", "calm", "loud", "bold", "elegant", "moody", "classy", "classic", "timeless", "playful", "fun", "funny", "serious", "formal",
    "informal", "casual", "friendly", "cheerful", "happy", "vintage", "retro", "rustic", "handmade", "hand-drawn", "handdrawn", "drawn", "sketchy",
    "editorial", "swiss", "brutalist", "corporate", "businesslike", "business-like", "luxurious", "luxury", "premium", "exclusive", "fancy",
    "stylish", "chic", "sleek", "slick", "fresh", "airy", "spacious", "roomy", "dense", "compact", "colourful", "colorful", "vibrant", "vivid",
    "muted", "pastel", "pastels", "monochrome", "neon", "earthy", "natural", "organic", "soft", "gentle", "subtle", "understated", "restrained",
    "tasteful", "romantic", "dreamy", "festive", "cosy", "cozy", "homely", "inviting", "welcoming", "energetic", "dynamic", "lively", "young",
    "youthful", "trendy", "hip", "edgy", "punchy", "catchy", "eye-catching", "striking", "dramatic", "cinematic", "futuristic", "techy", "geometric",
    "abstract", "typographic", "graphic", "photographic", "illustrated", "readable", "legible", "clear", "concise", "short", "brief", "crisp", "tidy",
    "neat", "confident", "honest", "sober", "factual", "plain", "stuffy", "cheesy", "kitschy", "childish", "boring", "busy", "cluttered", "salesy",
    "pushy", "aggressive", "stiff", "flashy", "tacky", "twee", "big", "large", "huge", "small", "tiny", "oversized", "generous", "high-contrast",
    "contrast", "contrasty", "solemn", "dignified", "respectful", "discreet", "optimistic", "upbeat", "matte", "glossy", "summery", "autumnal",
    "wintry", "springlike", "beautiful", "pretty", "nice", "lovely", "cute", "good", "great", "cool", "decent", "quick", "rough", "polished",
    "handwritten", "trustworthy", "approachable", "down-to-earth", "scandinavian", "nordic", "japanese", "mediterranean", "maritime", "nautical",
    "industrial", "art-deco", "deco", "bauhaus", "nouveau", "punk", "grunge", "boho", "whimsical", "witty", "dry", "ironic", "inspiring",
    "motivating", "motivational", "botanical", "floral", "botanisch", "blumig", "feminine", "masculine", "hygge", "coastal", "tropical", "human", "personal", "conversational", "wordy", "technical", "non-technical", "jargon-free", "one-colour",
    "two-colour", "black-and-white", "greyscale", "grayscale", "graustufen", "schlicht", "schlichte", "schlichter", "schlichtes", "modernes", "moderner", "moderne", "edel", "edle", "edler",
    "hochwertig", "hochwertige", "seriös", "sachlich", "sachliche", "ruhig", "ruhige", "ruhiger", "ruhiges", "warme", "warmer", "warmen", "kühl",
    "freundlich", "freundliche", "fröhlich", "fröhliche", "festlich", "festliche", "verspielt", "verspielte", "klassisch", "klassische",
    "minimalistisch", "minimalistische", "dunkel", "dunkle", "dunkler", "dunklen", "dunkles", "hell", "helle", "heller", "hellen", "helles", "bunt",
    "bunte", "bunter", "kräftig", "kräftige", "kräftigen", "zurückhaltend", "dezent", "dezente", "stilvoll", "elegante", "elegantes", "eleganter",
    "locker", "lockerer", "knapp", "kurz", "kurze", "klar", "klare", "klares", "übersichtlich", "aufgeräumt", "luftig", "professionell",
    "professionelle", "handgemacht", "rustikal", "rustikale", "gemütlich", "gemütliche", "romantisch", "verträumt", "frisch", "frische", "jung",
    "junges", "frech", "freches", "plakativ", "knallig", "knallige", "knalliges", "auffällig", "groß", "große", "großer", "großen", "großes", "klein", "kleine", "kleinen", "kitschig",
    "altbacken", "steif", "verstaubt", "werblich", "werblicher", "reißerisch", "lesbar", "gut", "schön", "schöne", "schönes", "hübsch", "einfach",
    "einfache", "einfaches", "nüchtern", "nüchterne", "sommerlich", "winterlich", "herbstlich", "weihnachtlich", "kindgerecht", "altmodisch",
    "pastellig", "zart", "zarte", "duzen", "siezen", "edgy", "reduziert", "reduzierte", "handschriftlich", "sobre", "élégant", "élégante", "moderne",
    "chaleureux", "chaleureuse", "épuré", "épurée", "simple", "clair", "claire", "sombre", "coloré", "doux", "douce", "festif", "joyeux", "classique",
    "professionnel", "gai", "lisible", "minimaliste", "elegante", "moderno", "moderna", "sencillo", "sencilla", "cálido", "cálida", "oscuro",
    "oscura", "claro", "clara", "alegre", "limpio", "limpia", "serio", "seria", "profesional", "colorido", "minimalista", "sobrio", "sobria", "caldo",
    "calda", "semplice", "pulito", "scuro", "chiaro", "allegro", "raffinato", "professionale", "luminoso", "aquarelle", "acuarela", "acquerello", "watercolor", "watercolour", "aquarell", "pulita", "chiara",
    "alegres", "vivos", "vivas", "cálidos", "suaves", "oscuros", "claros", "coloridos", "joyeuse", "rustique", "artisanal", "vif", "vifs", "vives", "lustig",
    "witzig", "rustico", "rustica", "vivaci", "tenui", "caldi", "allegri", "délicat", "délicate", "tendre", "poétique", "suave", "delicado", "delicada", "delicato", "delicata",
];

/// Things that are spoken of when speaking of a look.
#[rustfmt::skip]
pub const DESIGN: &[&str] = &[
    
    "colour", "color", "colours", "colors", "coloured", "palette", "tones", "tone", "shades", "hues", "accent", "accents", "background",
    "backgrounds", "font", "fonts", "typeface", "typefaces", "type", "typography", "lettering", "serif", "sans", "sans-serif", "style", "styled",
    "styling", "look", "looks", "feel", "feels", "vibe", "vibes", "mood", "theme", "layout", "design", "designs", "template", "templates", "space",
    "whitespace", "white-space", "margins", "grid", "icons", "icon", "clipart", "clip", "art", "photos", "photo", "stock", "pictures", "picture",
    "images", "image", "imagery", "illustration", "illustrations", "gradient", "gradients", "shadows", "emoji", "emojis", "animation", "animations", "animieren", "animiert", "shapes", "formen",
    "logo", "logos", "branding", "brand", "bullet", "bullets", "headline", "headlines", "heading", "headings", "aesthetic", "atmosphere", "visual", "visuals",
    "visually", "format", "portrait", "landscape", "orientation", "print", "printable", "print-ready", "screen", "projector", "jargon", "buzzwords",
    "buzzword", "fluff", "frills", "kitsch", "borders", "ornaments", "decoration", "decorations", "texture", "textures", "pattern", "patterns",
    "hierarchy", "readability", "wording", "copy", "voice", "language", "charts", "chart", "graph", "letters", "capitals", "caps", "uppercase",
    "lowercase", "exclamation", "marks", "hype", "marketing-speak", "slogan", "slogans", "farbe", "farben", "farbig", "farbschema", "akzent", "akzente", "cliparts", "töne", "tönen",
    "erdtöne", "erdtönen", "pastelltöne", "pastelltönen", "pastellfarben", "hintergrund", "schrift", "schriften", "schriftart", "serifen",
    "serifenschrift", "stil", "look", "optik", "stimmung", "gestaltung", "layout", "vorlage", "weißraum", "platz", "raum", "luft", "icons", "fotos",
    "foto", "bilder", "bild", "illustrationen", "verläufe", "emojis", "schnickschnack", "firlefanz", "kitsch", "logo", "überschrift", "überschriften",
    "tonfall", "ton", "ansprache", "format", "hochformat", "querformat", "druck", "beamer", "fachbegriffe", "fachchinesisch", "floskeln",
    "werbesprache", "diagramm", "ausrufezeichen", "grafik", "buchstaben", "clipart", "couleur", "couleurs", "fond", "police", "style", "ambiance",
    "ton", "tons", "teintes", "tonos", "toni", "polices", "typographie", "format", "photos", "fioritures", "color", "colores", "fondo", "letra", "letras", "tipografía", "estilo", "tono",
    "formato", "fotos", "colore", "colori", "sfondo", "carattere", "caratteri", "stile", "tono", "foto", "fronzoli", "tipografia", "impaginazione", "maquetación", "mise", "aspecto",
    "titres", "títulos", "titoli", "espacio", "espace", "columns", "column", "two-column", "double-sided", "one-sided", "druckfähig", "druckfertig", "druckbar", "druckbare",
    "zweispaltig", "dreispaltig", "einspaltig", "spalten", "spalte", "beidseitig", "einseitig", "colonnes", "columnas", "colonne", "imprimable",
    "imprimible", "stampabile", "smiley", "smileys", "cartoon", "cartoons", "comic", "comics", "hashtags", "mockups", "bleed", "superlatives", "laurel", "wreaths", "vector", "caption",
];

/// Ornaments and other motifs that are drawn beside words whatever they say, as one refuses them.
#[rustfmt::skip]
pub const MOTIFS: &[&str] = &[
    "heart", "hearts", "star", "stars", "skull", "skulls", "skeletons", "bones", "pumpkins", "bats", "ghosts", "balloons", "confetti", "ribbon", "ribbons", "bows", "garlands", "bunting", "doves", "angels", "cherubs", "clowns", "unicorns",
    "rainbows", "butterflies", "snowflakes", "santas", "swirls", "curls", "flourishes", "stripes", "dots", "bubbles", "waves", "flames", "glitter", "sparkles", "wreath", "laurels", "leaves", "vines", "silhouettes", "mascots",
    "herz", "herzen", "herzchen", "stern", "sterne", "sternchen", "totenköpfe", "skelette", "kürbisse", "fledermäuse", "gespenster", "luftballons", "ballons", "konfetti", "schleifen", "girlanden", "wimpel", "tauben", "engel", "engelchen",
    "einhörner", "regenbögen", "schmetterlinge", "schneeflocken", "schnörkel", "kringel", "streifen", "punkte", "blasen", "wellen", "flammen", "glitzer", "kränze", "lorbeer", "ranken", "cœurs", "étoiles", "corazones", "estrellas", "cuori", "stelle",
];

/// Small words that stand among the others and say nothing by themselves.
#[rustfmt::skip]
pub const GLUE: &[&str] = &[
    "usual", "sure", "gut", "bitte", "eher", "ca", "about", "approx", "around", "roughly", "circa", "etwa", "ungefähr", "fine", "environ",
    "a", "an", "the", "and", "or", "but", "with", "in", "on", "of", "for", "to", "as", "at", "very", "quite", "rather", "really", "too", "so", "more",
    "less", "bit", "little", "lots", "lot", "plenty", "much", "many", "few", "not", "no", "nothing", "non", "without", "never", "only", "just",
    "please", "it", "its", "it's", "is", "are", "be", "that", "this", "these", "our", "my", "your", "their", "should", "must", "can", "may", "all",
    "any", "some", "one", "two", "three", "kind", "sort", "like", "almost", "maybe", "perhaps", "ideally", "preferably", "overall", "mostly",
    "mainly", "slightly", "super", "well", "main", "strong", "pure", "full", "over", "still", "yet", "from", "nice-to-have", "i", "we", "you", "us",
    "me", "if", "possible", "way", "make", "keep", "use", "using", "room", "breathing", "there", "around", "everywhere", "style", "let", "want",
    "need", "would", "und", "oder", "aber", "mit", "in", "im", "am", "an", "auf", "für", "zu", "als", "sehr", "ganz", "eher", "recht", "etwas",
    "bisschen", "ein", "eine", "einen", "einem", "einer", "der", "die", "das", "den", "dem", "des", "viel", "viele", "wenig", "mehr", "weniger",
    "nicht", "kein", "keine", "keinen", "keinerlei", "nichts", "ohne", "nur", "bitte", "es", "ist", "sind", "sein", "soll", "sollen", "sollte",
    "muss", "darf", "alle", "unsere", "unser", "unserem", "unseren", "unserer", "mein", "meine", "zwischen", "gern", "gerne", "möglichst", "eben",
    "wirken", "wirkt", "aussehen", "bleiben", "aber", "auch", "und", "vor", "allem", "wie", "zwar", "fürs", "et", "ou", "avec", "dans", "sur", "pour",
    "de", "du", "des", "le", "la", "les", "un", "une", "très", "peu", "pas", "sans", "beaucoup", "d'", "en", "trop", "y", "o", "con", "sin", "muy",
    "poco", "mucho", "el", "los", "las", "una", "para", "del", "e", "molto", "senza", "il", "lo", "i", "gli", "uno", "per", "di", "tanto", "troppo",
    "s'il", "vous", "plaît", "por", "favor", "favore",
];

/// Where a thing is shown: it says nothing by itself.
#[rustfmt::skip]
pub const MEDIA: &[&str] = &[
    "インスタ", "インスタグラム", "フェイスブック", "facebook", "instagram", "insta", "ig", "linkedin", "whatsapp", "tiktok", "twitter", "mastodon", "pinterest", "website", "homepage", "intranet",
    "confluence", "feed", "profile", "channels", "channel", "newsletter", "wall", "window", "counter", "door", "fridge", "blackboard", "frame", "e-mail",
    "email", "web", "aushang", "schaufenster", "wand", "tür", "webseite", "whatsappa", "page", "office", "screen", "today", "tomorrow", "tmrw", "noon",
];

/// People that a thing is made for, as an instruction says it.
#[rustfmt::skip]
pub const AUDIENCES: &[&str] = &[
    "investors", "investor", "vcs", "board", "management", "leadership", "executives", "execs", "ceo", "cfo", "team", "staff", "employees",
    "colleagues", "customers", "clients", "prospects", "partners", "parents", "kids", "children", "teens", "students", "pupils", "teachers",
    "beginners", "experts", "engineers", "developers", "designers", "non-technical", "laypeople", "public", "everyone", "audience", "readers",
    "visitors", "guests", "tourists", "seniors", "families", "neighbours", "neighbors", "residents", "stakeholders", "shareholders", "sponsors",
    "donors", "members", "volunteers", "newcomers", "hires", "hire", "starters", "joiners", "journalists", "press", "investoren", "vorstand",
    "geschäftsführung", "geschäftsleitung", "aufsichtsrat", "mitarbeiter", "mitarbeitende", "kollegen", "kolleginnen", "kunden", "kundinnen",
    "partner", "eltern", "kinder", "jugendliche", "schüler", "schülerinnen", "lehrer", "lehrkräfte", "studierende", "anfänger", "laien", "fachleute",
    "öffentlichkeit", "gäste", "besucher", "senioren", "familien", "nachbarn", "anwohner", "mitglieder", "ehrenamtliche", "presse", "beirat",
    "gemeinderat", "tenants", "patients", "mieter", "mandanten", "patienten", "investisseurs", "clients", "parents", "enfants", "direction", "inversores", "clientes", "padres", "niños", "dirección",
    "investitori", "clienti", "genitori", "bambini",
];

/// Labels whose words are instructions.
#[rustfmt::skip]
pub const LABELS: &[&str] = &[
    "style", "tone", "look", "look and feel", "look & feel", "feel", "mood", "vibe", "format", "size", "audience", "target audience", "target group",
    "language", "colours", "colors", "colour", "color", "palette", "colour palette", "color palette", "design", "layout", "typography", "fonts",
    "font", "type", "length", "tone of voice", "voice", "aesthetic", "visual style", "visuals", "imagery", "images", "note", "deadline", "medium",
    "output", "orientation", "deliverable", "instructions", "brand colours", "brand colors", "for", "page size", "background", "style notes",
    "design notes", "stil", "ton", "tonalität", "tonfall", "look", "stimmung", "format", "größe", "zielgruppe", "sprache", "farben", "farbe",
    "farbwelt", "schrift", "schriften", "gestaltung", "umfang", "länge", "anmutung", "bildsprache", "hinweis", "hintergrund", "ansprache", "design",
    "ton", "couleurs", "public", "cible", "langue", "taille", "ambiance", "colores", "estilo", "tono", "público", "idioma", "tamaño", "formato",
    "colori", "stile", "lingua", "pubblico", "formato", "destinatari", "deliverable", "deliverables", "visual direction", "art direction", "direction",
    "don't mention", "do not mention", "don't include", "do not include", "don't show", "avoid", "don't", "don'ts", "no-gos", "no-go", "not to be mentioned",
    "nicht erwähnen", "bitte nicht", "vermeiden", "objective", "goal", "purpose", "channel", "channels", "usage", "placement", "specs", "specification",
    "requirements", "must have", "ziel", "zweck", "kanal", "anforderungen", "ne pas mentionner", "à éviter", "objectif", "no mencionar", "evitar",
    "objetivo", "non menzionare", "evitare", "obiettivo", "stijl", "kleuren", "styl", "kolory", "estilo", "cores", "deadline",
];

/// Beginnings that speak to whoever makes the thing.
#[rustfmt::skip]
pub const LEADS: &[&str] = &[
    "make it", "make this", "make sure it", "make the", "keep it", "keep the", "keep this", "should look", "should feel", "should sound", "should be",
    "it should", "it must", "it needs to", "it has to", "must be", "must fit", "has to be", "needs to be", "want it", "i want it", "we want it",
    "i'd like it", "we'd like it", "i would like it", "the design", "the look", "the tone", "the style", "the layout", "the feel", "the whole thing",
    "the overall", "the audience", "the target", "overall", "think", "feel free", "go for", "go with", "nothing too", "nothing fancy",
    "nothing corporate", "not too", "a bit of", "inspired by", "in the style of", "in the spirit of", "reminiscent of", "something like",
    "something that", "something with", "something", "leave", "avoid", "don't", "do not", "dont", "please don't", "please do not", "please keep",
    "please make", "please use", "please avoid", "please no", "no need to", "thanks", "thank you in advance", "thx", "cheers", "best,", "hi", "hello",
    "hey", "dear team", "asap", "need it", "needed by", "i need it", "we need it", "deadline", "can you", "could you", "would you", "set in",
    "set it", "printed on", "to be printed", "will be printed", "will be shown", "will be projected", "to be shown", "to print", "for print",
    "for printing", "for the web", "for social", "ready to print", "print-ready", "fits on", "all on", "everything on", "on one", "on a single",
    "one page only", "max", "at most", "no more than", "not more than", "maximum", "written in", "write it", "text in", "copy in", "in the language",
    "use our", "use the", "use a", "use big", "use large", "use only", "use warm", "use dark", "use light", "use soft", "show it", "show them",
    "show this", "draw it", "draw them", "draw the", "highlight the", "emphasise the", "emphasize the", "put the", "put our", "no stock", "no clip",
    "no emoji", "no photos", "no pictures", "no gradients", "aimed at", "intended for", "targeted at", "addressed to", "audience is", "readers are",
    "it's for", "its for", "it is for", "this is for", "meant for", "mach es", "mach's", "macht es", "es soll", "soll ", "sollte", "soll es",
    "bitte kein", "bitte keine", "bitte nicht", "bitte mit", "bitte in", "bitte im", "bitte auf", "bitte ohne", "bitte als", "bitte schlicht",
    "bitte alles", "bitte nur", "das ganze", "der stil", "der ton", "das design", "das layout", "die farben", "die zielgruppe", "zielgruppe",
    "insgesamt", "gern in", "gerne in", "gern mit", "gerne mit", "gerne etwas", "nicht zu", "nichts", "kein schnickschnack", "keine clipart",
    "keine stockfotos", "keine fotos", "im stil", "angelehnt an", "danke", "vielen dank im voraus", "viele grüße", "liebe grüße", "lg", "mfg",
    "hallo", "hi", "moin", "kannst du", "könntest du", "könnt ihr", "können sie", "wird gedruckt", "zum ausdrucken", "zum drucken", "für den druck",
    "alles auf", "auf einer", "auf eine", "maximal", "höchstens", "nicht mehr als", "passt auf", "text auf", "texte auf", "sprache",
    "wir brauchen das", "brauche ich bis", "brauchen wir bis", "darf ", "wirkt ", "hebe ", "zeig ", "zeige ", "stell ", "stelle ", "nutze ",
    "verwende ", "nimm ", "lass ", "s'il te plaît", "s'il vous plaît", "merci", "bonjour", "dans un style", "style ", "ton ", "pas de ", "por favor",
    "gracias", "hola", "estilo ", "con estilo", "tono ", "nada de ", "per favore", "grazie", "ciao", "stile ", "niente ", "tono ",
];

/// What people remark to whoever makes the thing: room to be left, what comes later, where the words are.
#[rustfmt::skip]
pub const REMARKS: &[&str] = &[
    "where it makes sense", "where possible", "if possible", "if you can", "if u can", "as charts", "wenn möglich", "wo möglich", "si possible", "si es posible",
    "logo later", "logo kommt", "logo folgt", "logo to follow", "logo to come", "dont care", "don't care", "doesn't matter", "does not matter", "egal welche", "names as they are", "logo comes", "logo follows",
    "leave space", "leave room", "leave some space", "leave some room", "will follow later", "names later",
    "i send the", "i'll send the", "i will send", "is in the file", "are in the file",
    "must be readable", "should be readable", "readable from", "easy to read from", "should stand out", "must stand out",
    "be the biggest", "do your magic", "visualise this", "visualize this", "group it by", "sort it by",
    "needs it by", "needs it tomorrow", "don't use our", "not too much text", "print it on",
    "liefere ich nach", "reiche ich nach", "kommt noch", "kommen noch", "folgt noch", "folgen noch", "platz lassen",
    "platz freilassen", "steht in der datei", "stehen in der datei", "gut lesbar", "ci-farben", "sont dans le fichier", "laisser de la place",
    "están en el archivo", "dejar espacio", "sono nel file", "lasciare spazio",
];

/// Beginnings after which stands what shall be said: “Include our opening hours”.
#[rustfmt::skip]
pub const MENTIONS: &[&str] = &[
    "please include", "please mention", "please add", "please list", "include", "including", "mention", "also mention", "add", "also add",
    "also include", "also", "list", "state", "say", "says", "saying", "write", "make sure to mention", "make sure to include", "make sure",
    "don't forget to mention", "don't forget to include", "don't forget", "do not forget", "remember to mention", "remember to include",
    "it should say", "it should mention", "it should include", "should say", "should mention", "should include", "must say", "must include",
    "must mention", "must have", "should have", "needs to say", "needs to mention", "with the line", "with the words", "with the text",
    "with the message", "with the headline", "with the title", "with the tagline", "with the slogan", "that says", "which says", "text", "headline",
    "title", "tagline", "claim", "call to action", "cta", "points to make", "key points", "key messages", "key message", "key facts", "facts",
    "details", "content", "contents", "copy", "body", "body text", "info", "infos", "information", "data", "numbers", "figures", "the numbers",
    "the facts", "here are the numbers", "here are the facts", "here is the text", "here's the text", "here is the data", "here's the data",
    "here is the content", "here's the content", "covering", "cover", "covers", "show", "showing", "with", "bitte erwähnen", "bitte angeben",
    "erwähne", "nenne", "nenn", "auch", "außerdem", "dazu", "mit dem titel", "mit dem text", "mit dem satz", "mit dem slogan", "mit der überschrift",
    "mit der aufschrift", "text", "titel", "überschrift", "inhalt", "inhalte", "angaben", "daten", "fakten", "zahlen", "eckdaten", "infos", "wichtig",
    "nicht vergessen", "schreib", "schreibe", "drauf soll", "drauf muss", "darauf soll", "darauf steht", "es soll draufstehen", "themen", "punkte",
    "stichpunkte", "folgende punkte", "folgender text", "hier der text", "hier die daten", "hier die zahlen", "hier der inhalt", "mit",
    "avec le texte", "avec le titre", "texte", "titre", "contenu", "mentionner", "con el texto", "con el título", "texto", "título", "contenido",
    "con il testo", "con il titolo", "testo", "titolo", "contenuto",
];

/// Whether a word speaks of a look, also with the ending of a German adjective: “ordentliches”.
pub fn is_of_style(word: &str) -> bool {
    let stem = || {
        ["es", "er", "en", "em", "e"]
            .iter()
            .filter_map(|ending| word.strip_suffix(ending))
            .any(|stem| stem.chars().count() >= 5 && STYLE.contains(&stem))
    };
    STYLE.contains(&word) || word.chars().count() >= 7 && stem()
}

/// “Keep it simple, keep it local”: clauses that all begin alike, of which one names no look, are said to those who read.
pub fn is_refrain(sentence: &str) -> bool {
    let clauses: Vec<Vec<String>> =
        text::clauses(sentence).iter().map(|clause| text::words(&clause.to_lowercase())).collect();
    let [first, rest @ ..] = clauses.as_slice() else { return false };
    let is_alike = |clause: &Vec<String>| clause.len() > 2 && clause.get(..2) == first.get(..2);
    let names_look = |clause: &Vec<String>| {
        clause
            .iter()
            .any(|word| STYLE.contains(&word.as_str()) || DESIGN.contains(&word.as_str()) || colors::names_color(word))
    };
    !rest.is_empty() && clauses.iter().all(is_alike) && !clauses.iter().all(names_look)
}
