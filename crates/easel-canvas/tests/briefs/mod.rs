//! The forty briefs that the gallery draws and the tests measure: every format, kit and no kit, several scripts, a long
//! brief, an empty one, tables of numbers, photographs.

use std::io::Cursor;

use easel_canvas::color::{Oklch, Rgb};
use easel_canvas::{Attachment, AttachmentRole, Brand, BrandColor, Brief, Category, Format};
use image::{DynamicImage, ImageFormat, RgbImage};

/// A brief and the name of its picture.
pub struct Named {
    /// Fit for a file's name.
    pub name: &'static str,
    /// The brief.
    pub brief: Brief,
}

/// All forty, in the order of the contact sheet.
pub fn all() -> Vec<Named> {
    let mut briefs = Vec::new();
    let mut add = |name, brief| briefs.push(Named { name, brief });
    add_talks_and_posts(&mut add);
    add_papers_and_diagrams(&mut add);
    add_screens_and_others(&mut add);
    for (at, named) in briefs.iter_mut().enumerate() {
        named.brief.seed = 1000 + at as u64 * 11;
    }
    briefs
}

fn add_talks_and_posts(add: &mut impl FnMut(&'static str, Brief)) {
    use Category::{Carousel, Slides, Social};

    add("deck-bakery", wish("Launch deck for a neighbourhood bakery, 6 slides, warm", Slides));
    add("deck-software", wish("Pitch deck for a software startup that plans shifts, 8 slides, dark", Slides));
    add("deck-report", source(wish("Quarterly report", Slides), "review.md", REVIEW));
    add("deck-sales", source(wish("Show our sales", Slides), "sales_2025.csv", SALES));
    add("deck-kit", with(wish("Company presentation for a climate fund, 5 slides", Slides), kit_green()));
    add("deck-german", wish("Präsentation über erneuerbare Energien für die Gemeinde, 5 Folien", Slides));
    add("deck-hebrew", source(wish("מצגת", Slides), "plan.md", HEBREW));
    add("deck-greek", wish("Παρουσίαση για ένα νέο μουσείο, 5 σελίδες", Slides));
    add("deck-russian", source(wish("Презентация", Slides), "city.md", RUSSIAN));
    add("deck-shares", source(wish("Where the energy comes from", Slides), "energy_mix.csv", MIX));
    add("post-jazz", wish("Poster: Summer Jazz Night, 12 July, 8 pm, Riverside Park, Free entry", Social));
    add("post-hiring", wish("We are hiring: Pastry chef, Full time, Start in March, jobs@crumb.example", Social));
    add("post-quote", source(wish("Quote card", Social), "quote.md", QUOTE));
    add("post-kit", with(wish("Announcement: New opening hours, Monday to Saturday, 7 to 19", Social), kit_coral()));
    add(
        "post-story",
        sized(wish("Instagram story announcing our autumn market, 4 October, Old harbour", Social), 1080, 1920),
    );
    add("post-photo", photo(wish("Post: Weekend at the lake, Three days, From Friday", Social), "lake.jpg", 210.0));
    add("post-french", wish("Affiche : Fête de la musique, 21 juin, Place du marché, entrée libre", Social));
    add("post-arabic", wish("ملصق: مهرجان الكتاب, 5 مايو, المكتبة العامة", Social));
    add("post-banner", sized(wish("Banner: Autumn sale, Up to 40% off, Until Sunday", Social), 1500, 500));
    add("carousel-tips", source(wish("Tips", Carousel), "tips.md", TIPS));
    add("carousel-yoga", wish("Carousel about a yoga studio, 5 pages, calm", Carousel));
    add("carousel-kit", with(wish("Carousel about our coffee, 4 pages", Carousel), kit_navy()));
}

fn add_papers_and_diagrams(add: &mut impl FnMut(&'static str, Brief)) {
    use Category::{Diagram, Pdf};

    add("paper-guide", source(wish("Guide as a document", Pdf), "guide.md", GUIDE));
    add("paper-long", source(wish("Essay, literary", Pdf), "essay.txt", &long_text()));
    add("paper-proposal", wish("Proposal for a community garden, green", Pdf));
    add("paper-numbers", source(wish("Report on visitors", Pdf), "visitors.csv", VISITORS));
    add("paper-kit", with(source(wish("Fact sheet", Pdf), "facts.md", FACTS), kit_navy()));
    add("paper-spanish", source(wish("Informe", Pdf), "informe.md", SPANISH));
    add("diagram-flow", wish("Order process: Order → Payment → Packing → Shipping → Delivery", Diagram));
    add("diagram-layers", wish("Architecture layers of a web shop, Browser, Gateway, Services, Database", Diagram));
    add("diagram-tree", wish("Org chart of the team, Design, Engineering, Sales, Support", Diagram));
    add("diagram-list", source(wish("Diagram of how we publish, dark", Diagram), "steps.md", STEPS));
}

fn add_screens_and_others(add: &mut impl FnMut(&'static str, Brief)) {
    use Category::{Other, Slides, Ui};

    add(
        "screen-shop",
        wish(
            "Dashboard for a bakery's orders. Orders per day: Mon 32, Tue 41, Wed 38, Thu 52, Fri 61. Today: 48 orders, 7 open, €1,264 revenue",
            Ui,
        ),
    );
    add("screen-projects", source(wish("Project overview for an agency, dark", Ui), "projects.csv", PROJECTS));
    add(
        "screen-phone",
        sized(
            wish(
                "Mobile app for a coffee shop: Flat white €3.90, Filter coffee €3.00, Cinnamon knot €3.80, Pressed apple €3.50",
                Ui,
            ),
            430,
            932,
        ),
    );
    add(
        "other-card",
        sized(wish("Business card: Ada Lind, Architect, ada@lind.example, +46 70 000 00 00", Other), 1050, 600),
    );
    add("other-menu", source(sized(wish("Menu", Other), 1240, 1754), "menu.md", MENU));
    add(
        "other-wedding",
        sized(
            wish("Invitation: Wedding of Mira and Jon, 6 June 2026, 3 pm, Villa Aurora, elegant gold", Other),
            1050,
            1480,
        ),
    );
    add("other-empty", wish("", Other));
    add(
        "deck-photos",
        photo(
            photo(
                photo(wish("Portfolio of a landscape architect, 5 slides", Slides), "terrace.jpg", 150.0),
                "path.jpg",
                90.0,
            ),
            "pond.jpg",
            190.0,
        ),
    );
}

/// A brief that is only a wish.
pub fn wish(prompt: &str, category: Category) -> Brief {
    Brief::new(prompt, Format::of(category), 1)
}

/// The brief with a file whose words are its content.
pub fn source(mut brief: Brief, name: &str, text: &str) -> Brief {
    brief.attachments.push(Attachment {
        role: AttachmentRole::Source,
        name: name.to_owned(),
        mime: "text/plain".to_owned(),
        bytes: text.as_bytes().to_vec(),
    });
    brief
}

fn sized(mut brief: Brief, width: u32, height: u32) -> Brief {
    brief.format.width = Some(width);
    brief.format.height = Some(height);
    brief
}

fn with(mut brief: Brief, brand: Brand) -> Brief {
    brief.brand = Some(brand);
    brief
}

fn photo(mut brief: Brief, name: &str, hue: f32) -> Brief {
    brief.attachments.push(Attachment {
        role: AttachmentRole::Asset,
        name: name.to_owned(),
        mime: "image/jpeg".to_owned(),
        bytes: landscape(hue),
    });
    brief
}

/// A picture that looks like a photograph of hills at a distance; the same for the same hue.
pub fn landscape(hue: f32) -> Vec<u8> {
    let (width, height) = (900_u32, 600_u32);
    let ridge = |x: f32, layer: f32| {
        let wave = (x * (1.7 + layer * 0.9) + hue * 0.07 + layer * 2.1).sin() * 0.5
            + (x * (4.3 - layer * 0.6) + hue * 0.11 + layer).sin() * 0.22
            + (x * 11.0 + layer * 5.0).sin() * 0.06;
        0.42 + layer * 0.11 - wave * 0.10
    };
    let mut picture = RgbImage::new(width, height);
    for (x, y, pixel) in picture.enumerate_pixels_mut() {
        let (px, py) = (x as f32 / width as f32, y as f32 / height as f32);
        let sun = ((px - 0.7).hypot((py - 0.27) * 0.67) * 9.0).min(1.0);
        let mut color = Oklch::new(
            0.93 - py * 0.22 + (1.0 - sun) * 0.05,
            0.05 + (1.0 - sun) * 0.05,
            hue + 200.0 * (1.0 - py) * 0.2 + (1.0 - sun) * 60.0,
        );
        for layer in 0..5 {
            if py > ridge(px * 3.0, layer as f32) {
                let depth = layer as f32 / 4.0;
                color = Oklch::new(0.74 - depth * 0.42 + (py - 0.5) * 0.08, 0.045 + depth * 0.035, hue + depth * 35.0);
            }
        }
        let grain = ((x.wrapping_mul(7919) ^ y.wrapping_mul(104_729)) % 17) as f32 / 17.0 - 0.5;
        let Rgb { r, g, b } = Oklch::new(color.l + grain * 0.018, color.c, color.h).rgb();
        *pixel = image::Rgb([r, g, b]);
    }
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::from(picture).write_to(&mut bytes, ImageFormat::Jpeg).expect("a picture in memory");
    bytes.into_inner()
}

fn color(role: &str, hex: &str) -> BrandColor {
    BrandColor { role: role.to_owned(), color: Rgb::parse(hex).expect("a colour") }
}

fn kit_green() -> Brand {
    Brand {
        name: "Tidewater".to_owned(),
        colors: vec![
            color("primary", "#0b6e4f"),
            color("secondary", "#f4a259"),
            color("background", "#f6f7f2"),
            color("text", "#12261f"),
        ],
        heading_font: Some("Bricolage Grotesque".to_owned()),
        body_font: Some("Commissioner".to_owned()),
        logo: Some(LOGO.replace("#ACCENT", "#0b6e4f").into_bytes()),
        logo_asset: None,
    }
}

fn kit_coral() -> Brand {
    Brand {
        name: "Crumb".to_owned(),
        colors: vec![color("primary", "#ff6f61"), color("secondary", "#2b2d42")],
        heading_font: Some("Fraunces".to_owned()),
        body_font: Some("Manrope".to_owned()),
        logo: Some(LOGO.replace("#ACCENT", "#ff6f61").into_bytes()),
        logo_asset: None,
    }
}

fn kit_navy() -> Brand {
    Brand {
        name: "Northway".to_owned(),
        colors: vec![color("primary", "#14213d"), color("accent", "#fca311")],
        heading_font: Some("Georgia".to_owned()),
        body_font: Some("Inter".to_owned()),
        logo: None,
        logo_asset: None,
    }
}

const LOGO: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="240" height="80" viewBox="0 0 240 80"><circle cx="40" cy="40" r="34" fill="#ACCENT"/><path d="M24 44a16 16 0 0 0 32 0z" fill="#ffffff"/><rect x="92" y="22" width="120" height="12" rx="6" fill="#ACCENT"/><rect x="92" y="46" width="84" height="12" rx="6" fill="#ACCENT"/></svg>"##;

const SALES: &str = "Month,Bread,Pastry,Coffee\nJan,12400,8300,9100\nFeb,11800,8900,9400\nMar,13900,9700,9900\nApr,14200,10400,10800\nMay,15100,11800,12100\nJun,14800,12600,13500\nJul,13200,12900,14200\nAug,12900,12400,14600\nSep,15600,12100,13300\nOct,16800,12700,13100\nNov,17200,13900,13800\nDec,19400,17600,14900\n";

const PROJECTS: &str = "Project,Owner,Due\nWebsite refresh,Ana,14 May\nSpring campaign,Jonas,21 May\nPartner portal,Mei,2 June\nAnnual report,Sam,9 June\n";

const MIX: &str = "Source,Share\nWind,34%\nSolar,22%\nHydro,18%\nGas,15%\nBiomass,11%\n";

const VISITORS: &str = "Museum;Visitors;Change\nCity Museum;182400;4.1\nMuseum of Natural History;341900;7.8\nGallery of Modern Art;268100;-2.4\nMaritime Museum;97300;1.2\nHouse of Photography;64800;12.6\nMuseum of Technology;221500;3.3\nGlass Collection;31200;-0.8\n";

const REVIEW: &str = "# A year of steady growth\n\nWhat we set out to do, what came of it, and what is next.\n\n## In numbers\n\n- 38% more orders than last year\n- 214 new customers\n- 4.8 out of five stars\n- 12 days from idea to shelf\n\n## What went well\n\n- **The new oven**: Twice the loaves in the same night, with a third less energy.\n- **Saturday market**: Our best day of the week, every week since May.\n- **Apprentices**: Two finished, and both have stayed with us.\n\n## What did not\n\nDeliveries were late on **eleven mornings**, always for the same reason: one van for two routes. We have written it down here so that nobody has to remember it.\n\n> The bread is the reason we moved to this street.\n> — Ines, regular since the first week\n\n## The plan for next year\n\n1. **Spring**: A second van and a driver who knows the quarter.\n2. **Summer**: Tables outside, with shade.\n3. **Autumn**: A second counter at the station.\n4. **Winter**: The recipe book, finally.\n\n## Costs\n\n| Item | Planned | Spent |\n|---|---:|---:|\n| Flour and milk | €84,000 | €86,200 |\n| Energy | €31,000 | €24,700 |\n| Wages | €212,000 | €215,400 |\n| Rent | €48,000 | €48,000 |\n";

const QUOTE: &str = "> Make it simple, but make it with care; people notice both.\n> — Workshop rule number one\n";

const TIPS: &str = "# Five ways to keep bread fresh\n\nNo plastic needed.\n\n## Cloth\n\nWrap the loaf in linen. It breathes, so the crust stays crisp.\n\n## Clay\n\nA pot with a lid keeps the crumb moist for four days.\n\n## Cut side down\n\nStand the loaf on its cut: the board is the best lid there is.\n\n## Slice and freeze\n\nFreeze slices on the first day, and toast them straight from the cold.\n\n## Bring it back\n\nA splash of water, eight minutes in a hot oven, and it cracks again.\n";

const GUIDE: &str = "# Moving in: a short guide\n\nEverything that you need in your first week.\n\n## Keys and doors\n\nYou get **two keys** at the office on the ground floor, on weekdays from 9 to 17. The front door locks by itself at 22:00; your key opens it at any hour. If you lose one, tell us the same day: a new lock costs €60.\n\n## Bins\n\n| Day | Bin | Where |\n|---|---|---|\n| Monday | Paper | Yard |\n| Wednesday | Glass | Corner of Mill Street |\n| Friday | Everything else | Yard |\n\n## Quiet hours\n\n- From 22:00 to 7:00 on all days\n- From 13:00 to 15:00 on Sundays\n- Drills and hammers: weekdays only, until 19:00\n\n## When something breaks\n\nWrite to [help@house.example](mailto:help@house.example) with a photograph. Water and heating are looked at on the same day, everything else within the week.\n\n> Be kind to the stairs; they are older than all of us.\n\n## Getting around\n\nThe tram stops at the corner every eight minutes. Line 4 goes to the station in eleven minutes, line 9 to the river. Bicycles stand in the cellar; the code changes each spring.\n";

const FACTS: &str = "# Northway at a glance\n\nFreight by rail, door to door.\n\n## Numbers\n\n- 1,240 trains a year\n- 96% on time\n- 71% less carbon than by road\n\n## What we carry\n\n- **Timber**: From the northern forests to the mills on the coast.\n- **Steel**: Coils and plate, in covered wagons.\n- **Food**: Refrigerated, with a record of every degree.\n\n## How to book\n\n1. Send us weight, place and date.\n2. You get a price within a working day.\n3. We collect, carry and deliver.\n";

const SPANISH: &str = "# Informe de la biblioteca\n\nUn año en cifras y en voces.\n\n## Resumen\n\nLa biblioteca recibió más visitas que nunca. Los talleres para niños llenaron la sala cada sábado, y el club de lectura abrió un segundo grupo por las tardes.\n\n## Cifras\n\n- 48.200 visitas\n- 1.930 socios nuevos\n- 312 actividades\n\n## Próximos pasos\n\n1. Ampliar el horario de verano.\n2. Abrir la terraza a los lectores.\n3. Renovar la colección infantil.\n";

const STEPS: &str = "# How we publish\n\n1. **Draft**: Write it down, all of it, badly.\n2. **Review**: Two people read, one of them new to the subject.\n3. **Edit**: Half of it goes.\n4. **Publish**: On a Tuesday morning.\n5. **Listen**: Answer every letter within a day.\n";

const MENU: &str = "# Crumb & Co.\n\nBreakfast until noon\n\n## From the oven\n\n- **Sourdough, butter, salt**: 4.50\n- **Cinnamon knot**: 3.80\n- **Almond croissant**: 4.20\n- **Rye with smoked trout**: 9.50\n\n## To drink\n\n- **Filter coffee**: 3.00\n- **Flat white**: 3.90\n- **Pressed apple**: 3.50\n- **Herbs from the yard**: 3.20\n";

const HEBREW: &str = "# תוכנית לגינה קהילתית\n\nגינה אחת, שכונה שלמה.\n\n## למה עכשיו\n\nהמגרש שליד בית הספר עומד ריק כבר שלוש שנים. העירייה מוכנה למסור אותו לשכונה לתקופה של חמש שנים, אם נציג תוכנית עד סוף החודש.\n\n## מה נבנה\n\n- **ערוגות**: שתים־עשרה ערוגות מוגבהות, נגישות לכולם.\n- **צל**: פרגולה עם גפן ומקום לשבת.\n- **מים**: השקיה בטפטוף ומי גשם.\n\n## במספרים\n\n- 12 ערוגות\n- 40 משפחות\n- 5 שנים\n";

const RUSSIAN: &str = "# Город у реки\n\nКак мы возвращаем набережную людям.\n\n## Зачем\n\nНабережная закрыта уже десять лет. Мы хотим открыть её за два сезона: сначала тропу и деревья, потом мост и летнюю сцену.\n\n## Что будет\n\n- **Тропа**: Три километра вдоль воды, без машин.\n- **Деревья**: Двести лип и ив.\n- **Сцена**: Для музыки и кино под открытым небом.\n\n## Цифры\n\n- 3 километра тропы\n- 200 деревьев\n- 2 сезона\n";

/// An essay of several pages without a heading.
pub fn long_text() -> String {
    let sentences = [
        "Nobody remembers who planted the first tree on this street.",
        "It must have been before the war, since the photographs show it already taller than the lamps.",
        "What people do remember is the summer in which it was nearly felled, and the woman who sat down under it with a chair and a book.",
        "She read aloud, to nobody at first, and then to a dozen, and by the end of the week to the mayor.",
        "A street is a promise that strangers make to each other about how to pass by.",
        "Some of it is written in stone, most of it is not.",
        "When we measure a street we count what moves; when we love one, we count what stays.",
        "There is a bench here that has been repaired eleven times, each time by somebody else.",
    ];
    (0..14)
        .map(|paragraph| {
            (0..6).map(|at| sentences[(paragraph * 5 + at * 3) % sentences.len()]).collect::<Vec<_>>().join(" ")
        })
        .collect::<Vec<_>>()
        .join("\n\n")
}
