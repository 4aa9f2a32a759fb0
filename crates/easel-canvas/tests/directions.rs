//! Briefs in which the one who writes speaks to a designer in passing: what stands on the page, and what does not.
//! Deliberately not here: how the pages look.

mod drawn;
mod said;

use easel_canvas::{Category, Document};

use drawn::{draw, only};
use said::says;

fn all_words(document: &Document) -> String {
    format!("{:?}", only(document))
}

#[test]
fn what_is_dictated_stands_there_without_the_words_that_dictate() {
    says(
        "Poster for the regatta\n\nRegatta on the weir\nSunday, 3 May\n\nBelow that put Boats from noon. At the very bottom it should say \
         \"Come by bike\".",
        Category::Other,
        &["Regatta on the weir", "Sunday, 3 May", "Boats from noon", "Come by bike"],
        &["below that", "at the very bottom", "it should say"],
    );
    says(
        "Plakat für das Hoffest\n\nGanz oben groß: Hoffest am Wehr\nDarunter das Datum: Samstag, 12. Juni\nUnten klein: Eintritt frei",
        Category::Other,
        &["Hoffest am Wehr", "Samstag, 12. Juni", "Eintritt frei"],
        &["ganz oben", "darunter", "unten klein"],
    );
    says(
        "Affiche pour la fête du port\n\nLa Fête du Port\nSamedi 4 juillet\nJuste en dessous vous mettez : Entrée libre",
        Category::Other,
        &["La Fête du Port", "Samedi 4 juillet", "Entrée libre"],
        &["vous mettez", "en dessous"],
    );
}

#[test]
fn what_is_said_of_the_page_is_obeyed() {
    says(
        "Poster for the choir\n\nSing with us\nTuesday 3 June, 7 pm\nMake the time really big, people always miss it.\nThe logo should be \
         in the corner.\nDon't mention the fee anywhere.\nNo audition needed",
        Category::Other,
        &["Sing with us", "7 pm", "No audition needed"],
        &["really big", "always miss it", "the logo", "the fee"],
    );
    says(
        "Aushang\n\nDas Wasser wird abgestellt\nMittwoch, 4. Februar, 8 bis 12 Uhr\nDie Uhrzeit bitte fett, sonst sieht sie wieder keiner.\n\
         Den Namen vom Hausmeister lass weg.\nFragen: 0151 555 0172",
        Category::Other,
        &["Das Wasser wird abgestellt", "8 bis 12 Uhr", "0151 555 0172"],
        &["fett", "keiner", "lass weg"],
    );
}

#[test]
fn what_only_looks_like_a_direction_is_said() {
    says(
        "Poster A3 for our print shop\n\nOpen workshop\nSaturday 21 November\nWrite them big dreams\nBring your own mug\n\
         Do not write on the walls\nPut the bins out on Tuesday",
        Category::Other,
        &["Write them big dreams", "Bring your own mug", "Do not write on the walls", "Put the bins out"],
        &[],
    );
}

#[test]
fn calls_to_readers_stand_on_the_page() {
    says(
        "Poster for the darkroom, A3\n\nPrint your own photos – workshop\nSaturday 21 November, 10 am\nMake it count\nWrite them big dreams\n\
         Bring your own mug\nDrop your bags at reception",
        Category::Other,
        &[
            "Print your own photos",
            "workshop",
            "Make it count",
            "Write them big dreams",
            "Bring your own mug",
            "Drop your bags",
        ],
        &[],
    );
    says("Poster A2\n\nMake it count!", Category::Other, &["Make it count"], &[]);
    says("Poster for the vote\n\nMake it count!\nSunday 8 March", Category::Other, &["Make it count", "8 March"], &[]);
    says(
        "flyer for the art school open day. Write them big dreams. Print your own photos – workshop at 3 pm. Bring your own mug. \
         Drop your bags at reception. Make it count!",
        Category::Other,
        &[
            "Write them big dreams",
            "Print your own photos",
            "3 pm",
            "own mug",
            "Drop your bags at reception",
            "Make it count",
        ],
        &[],
    );
    for alone in [
        "Bring your own mug",
        "Drop your bags at reception",
        "Write them big dreams",
        "Print your own photos – workshop",
    ] {
        let fact = alone.split(" – ").next().unwrap_or(alone);
        says(&format!("Poster\n\n{alone}"), Category::Other, &[fact], &[]);
        says(&format!("Flyer for the open day\n\n{alone}\nSunday, 3 May"), Category::Other, &[fact, "3 May"], &[]);
    }
}

#[test]
fn a_question_asks_for_the_thing_and_dictation_under_it_stands_there() {
    says(
        "Fwd from Pia: look what they wrote!!\n\ncould you make a nice square picture for our page out of it?\n\
         The quote: \"I came for the soup.\"\nby Ida Lund, Weir Echo\nbelow it, small: Café Wehr, Mill Lane 5\n\n\
         cream background, no pictures of bowls",
        Category::Social,
        &["I came for the soup", "Ida Lund", "Weir Echo", "Café Wehr", "Mill Lane 5"],
        &["below it", "could you"],
    );
}

/// The lines of a poster, each of which stands on it or does not.
fn poster(opening: &str, lines: &[&str], end: &str) -> String {
    format!("{opening}\n{}\n{end}", lines.join("\n"))
}

#[test]
fn calls_that_begin_as_wishes_stand_there() {
    const ENGLISH: &[&[&str]] = &[
        &[
            "Don't forget your swimsuit",
            "No dogs please",
            "Bring nothing but yourself",
            "Keep it simple, keep it local",
        ],
        &["Put your phone away", "Leave your shoes at the door", "Make yourself at home", "Please leave the lights on"],
        &[
            "Show your ticket at the gate",
            "Mark your calendar",
            "The photo wall is in the corner",
            "Keep the date free",
        ],
        &["Below the bridge there is coffee", "At the top of the hill we light a fire", "Add your name to the list"],
        &["Say it with flowers", "Please put names on the boxes", "Use the back door", "Don't write on the tables"],
    ];
    for lines in ENGLISH {
        let brief = poster("Poster for the lake\n\nOpen day\nSaturday 21 November", lines, "Doors at 6 pm");
        says(&brief, Category::Other, lines, &[]);
    }
    const GERMAN: &[&[&str]] = &[
        &[
            "Bitte keine Hunde",
            "Vergiss deinen Badeanzug nicht",
            "Schreibt uns eure Wünsche",
            "Setzt euch einfach dazu",
        ],
        &["Unten am Fluss gibt es Kaffee", "Das Foto kostet nichts", "Lasst die Sorgen zu Hause", "Macht Lärm"],
    ];
    for lines in GERMAN {
        let brief = poster("Plakat für den See\n\nBadetag\nSamstag, 21. November", lines, "Beginn um 18 Uhr");
        says(&brief, Category::Other, lines, &[]);
    }
}

#[test]
fn directions_among_the_lines_do_not_stand_there() {
    const DIRECTED: &[(&str, &[&str], &str)] = &[
        (
            "Poster for the lake\n\nOpen day\nSaturday 21 November",
            &[
                "Put the date at the top",
                "The phone number should be huge",
                "Don't mention the raffle on it",
                "Please make the title a bit bigger",
                "Leave out the surnames",
                "The logo goes in the bottom corner",
                "You can drop the page numbers",
            ],
            "Doors at 6 pm",
        ),
        (
            "Plakat für den See\n\nBadetag\nSamstag, 21. November",
            &[
                "Die Adresse bitte groß",
                "Mach den Preis schön fett",
                "Das Logo kommt unten rechts hin",
                "Bitte nicht auf den Flyer schreiben, was es kostet",
                "Den Nachnamen lass weg",
            ],
            "Beginn um 18 Uhr",
        ),
        (
            "Affiche pour le lac\n\nFête du lac\nSamedi 21 novembre",
            &["Mets l'heure en gros", "Le logo doit être en bas à droite"],
            "Début à 18 h",
        ),
        ("Cartel\n\nFiesta del lago\nSábado 21 de noviembre", &["Pon la fecha bien grande"], "A las 18 h"),
    ];
    for (opening, lines, end) in DIRECTED {
        says(&poster(opening, lines, end), Category::Other, &[end], lines);
    }
}

#[test]
fn who_said_it_stands_with_a_quotation_that_needs_no_title() {
    let brief = "Square post for our page\n\nThe quote: \"I came for the soup and stayed.\"\nby Ida Lund, Weir Echo\nbelow it, small: Café \
                 Wehr, open Thursday to Sunday";
    let drawn = draw(brief, Category::Social);
    let words = all_words(&drawn);
    assert!(words.contains("by: \"Ida Lund, Weir Echo\""), "{words}");
    assert!(only(&drawn).title.is_empty(), "{words}");
    assert!(words.contains("open Thursday to Sunday") && !words.contains("below it"), "{words}");
}

#[test]
fn what_visitors_are_asked_stands_there_although_it_names_pictures() {
    const ENGLISH: &[&str] = &[
        "Please no photos during the show",
        "No phones, no pictures",
        "Your photo on our wall",
        "The names of the winners are on the board at the back",
        "Write your name on the back of the picture",
        "Photos are not allowed in the church",
        "Please do not take pictures of the dancers",
    ];
    let brief = poster("Poster for the lake\n\nOpen day\nSaturday 21 November", ENGLISH, "Doors at 6 pm");
    says(&brief, Category::Other, ENGLISH, &[]);
    let told = format!("Poster for the lake, dark, no photos please. Title: Open day. {}.", ENGLISH.join(". "));
    says(&told, Category::Other, ENGLISH, &["no photos please"]);
    const GERMAN: &[&str] = &[
        "Bitte nichts mitbringen",
        "Das Bild hängt in der Mitte",
        "Bitte während der Vorstellung nicht fotografieren",
        "Keine Handys, keine Fotos",
        "Schreib deinen Namen auf das Bild",
        "Fotos sind im Saal nicht erlaubt",
    ];
    let brief = poster("Plakat für den See\n\nBadetag\nSamstag, 21. November", GERMAN, "Beginn um 18 Uhr");
    says(&brief, Category::Other, GERMAN, &[]);
    let told = format!("Plakat für den See, dunkel, bitte keine Fotos. Titel: Badetag. {}.", GERMAN.join(". "));
    says(&told, Category::Other, GERMAN, &["bitte keine Fotos"]);
}

#[test]
fn a_call_in_the_place_of_the_title_is_the_title() {
    for title in ["Make it loud", "\"Make it loud\"", "Title: Make it loud"] {
        let brief = format!("Poster A2, black and yellow\n\n{title}\nThe Tin Roofs\nFriday 9 October");
        let drawn = draw(&brief, Category::Other);
        assert_eq!(only(&drawn).title, "Make it loud", "{brief}");
    }
    let drawn = draw("Poster for the fair\n\nSummer fair\nSunday 3 May\nMake it loud and yellow", Category::Other);
    assert!(!all_words(&drawn).contains("loud"), "a wish among the lines is obeyed");
}

#[test]
fn words_beside_the_title_that_tell_what_happens_are_said() {
    let brief =
        "Poster for the lido\n\nOpening day\nSaturday 2 May\nUnder the title \"Cold, but ours\" we dance all night";
    says(brief, Category::Other, &["Opening day", "Cold, but ours", "we dance all night"], &[]);
    assert_eq!(only(&draw(brief, Category::Other)).title, "Opening day");
}

#[test]
fn somebodys_words_are_a_quotation_and_no_title() {
    for brief in [
        "Post for LinkedIn, calm, with a quote: \"Plant the tree you will never sit under.\" – Maren Holt",
        "Beitrag für LinkedIn, ruhig, mit einem Zitat: „Pflanz den Baum, unter dem du nie sitzen wirst.“ – Maren Holt",
    ] {
        let drawn = draw(brief, Category::Social);
        let words = all_words(&drawn);
        assert!(words.contains("by: \"Maren Holt\""), "{words}");
        assert!(!words.contains("with a quote") && !words.contains("mit einem Zitat"), "{words}");
    }
}

#[test]
fn what_is_dictated_while_asking_is_said_in_sentences() {
    says(
        "can you make a sign for the office kitchen that says please put your cups into the machine and that the fridge is \
         emptied every Friday at four, friendly, A4",
        Category::Other,
        &["put your cups into the machine", "the fridge is emptied every Friday at four"],
        &["that says", "can you make", "friendly", "and that"],
    );
}

#[test]
fn a_carousel_with_its_own_title_keeps_it_before_numbered_cards() {
    for title in ["Stop watering your cactus", "\"Stop watering your cactus\""] {
        let brief = format!(
            "Carousel for instagram, bold\n\n{title}\n\n1. It drinks once a month\n2. Cold nights make it bloom\n3. Yellow skin \
             means too much love"
        );
        let outline = format!("{:?}", draw(&brief, Category::Carousel).origin.outline);
        for words in ["Stop watering your cactus", "It drinks once a month", "Yellow skin means"] {
            assert!(outline.contains(words), "{words}: {outline}");
        }
    }
}

#[test]
fn who_may_come_and_how_old_somebody_is_are_said() {
    says(
        "Poster for the puppet show, dark red. Free, for children from 4. Please no photos during the show.",
        Category::Other,
        &["for children from 4", "no photos during the show"],
        &["dark red"],
    );
    says(
        "Poster for the lido. Title: Into the water! A word from the oldest: \"I swim, therefore I am warm.\" - Berta, 91. \
         Opening on 1 May at 7 am. Leave your phone in the locker.",
        Category::Other,
        &["Into the water!", "Berta, 91", "Opening on 1 May", "Leave your phone in the locker"],
        &[],
    );
}

#[test]
fn a_refusal_beside_the_looks_says_what_is_not_drawn() {
    says(
        "wedding invitation, soft green, no hearts. Ines & Karl, 12 September, 2 pm, Orchard at Weil Farm",
        Category::Other,
        &["Ines & Karl", "12 September", "Orchard at Weil Farm"],
        &["hearts", "soft green"],
    );
    says(
        "Flyer for the yoga class, soft green, no registration. Mondays at 8",
        Category::Other,
        &["no registration"],
        &[],
    );
}

#[test]
fn what_is_pitched_gives_its_name_to_the_cover() {
    for brief in [
        "max 5 slides, calm\n\nPitch: Fjordbox - parcels by ferry\n\nProblem: vans need 4 hours\nSolution: lockers on the ferries",
        "pitch deck, max 5, calm\n\nStartup: Fjordbox – parcels by ferry\n\nProblem: vans need 4 hours\nSolution: lockers on the \
         ferries",
    ] {
        let outline = draw(brief, Category::Slides).origin.outline;
        assert_eq!(outline.passages[0].title, "Fjordbox", "{brief}");
        let words = format!("{outline:?}");
        assert!(words.contains("arcels by ferry") && !words.contains("max 5"), "{words}");
    }
}

#[test]
fn a_title_may_be_said_behind_the_words_that_are_it() {
    for (prompt, title, kicker) in [
        (
            "Poster for our charity run. The name of the run: Soles for Souls. 5 October, 10 am.",
            "Soles for Souls",
            "Charity run",
        ),
        (
            "Poster for our poetry night, dark. \"Say it with rhymes\" is the title. Friday, 8 pm.",
            "Say it with rhymes",
            "Poetry night",
        ),
        (
            "Plakat für unser Straßenfest. „Alle an einen Tisch“ ist der Titel. Samstag, 6. Juni, 15 Uhr.",
            "Alle an einen Tisch",
            "Straßenfest",
        ),
    ] {
        let document = draw(prompt, Category::Other);
        let passage = only(&document);
        assert_eq!((passage.title.as_str(), passage.kicker.as_str()), (title, kicker), "{prompt}");
    }
}

#[test]
fn what_is_left_to_the_hosts_is_said_to_guests() {
    says(
        "Flyer for our wedding brunch, Sunday 11 am. Leave the photos to us, we hired Tilda. Put the name of your cake on a card. \
         Leave the presents at home. Soft green please.",
        Category::Other,
        &["Leave the photos to us", "Put the name of your cake on a card", "Leave the presents at home"],
        &["soft green"],
    );
}

#[test]
fn refusals_in_a_row_stay_together() {
    says(
        "Poster: Silent reading evening, Thursday 7 pm, Library. No phones, no talking, no excuses. Free tea.",
        Category::Other,
        &["No phones, no talking, no excuses", "Free tea"],
        &[],
    );
    says(
        "Plakat für den Lesekreis, Donnerstag 19 Uhr. Keine Handys, keine Hausaufgaben, keine Ausreden.",
        Category::Other,
        &["Keine Handys, keine Hausaufgaben, keine Ausreden"],
        &[],
    );
}

#[test]
fn wishes_at_the_end_are_not_printed() {
    says(
        "Night Walk in Fern Valley\nSaturday 31 October, 9 pm\nBring a torch\n\nno skulls please, it's for families",
        Category::Other,
        &["Night Walk in Fern Valley", "Bring a torch"],
        &["skulls", "families"],
    );
    says(
        "Urkunde für Amir Haddad, zweiter Platz beim Vorlesen, 12. Februar 2026. Feierlich, keine Comics.",
        Category::Other,
        &["Amir Haddad", "12. Februar 2026"],
        &["feierlich", "comics"],
    );
    says(
        "poster for the swim club, big, energetic, orange! Sunday 10 am, Lido",
        Category::Other,
        &["Swim club", "Lido"],
        &["orange"],
    );
}

#[test]
fn a_plain_statement_beside_the_request_stands_on_the_page() {
    says(
        "Please make a flyer for the scout camp of the Otters. The trip goes to Wales. Nothing too childish.\n\nTravel: coach from \
         the church at 8\nCost: £95",
        Category::Other,
        &["Scout camp of the Otters", "The trip goes to Wales", "coach from the church at 8"],
        &["childish"],
    );
    says(
        "Bitte einen Aushang für das Sommerlager. Die Fahrt geht ins Allgäu. Bitte nicht zu kindisch.\n\nAnreise: Bus ab Kirche um 8\n\
         Kosten: 95 €",
        Category::Other,
        &["Sommerlager", "Die Fahrt geht ins Allgäu", "Bus ab Kirche um 8"],
        &["kindisch"],
    );
}

#[test]
fn wishes_are_heard_in_other_scripts_and_where_there_is_a_way() {
    says(
        "请做一张海报:社区中秋晚会。9月17日晚上7点,和平公园。风格喜庆,以红色和金色为主。",
        Category::Other,
        &["社区中秋晚会", "和平公园"],
        &["风格", "为主"],
    );
    says(
        "新刊発売のポスターをお願いします。タイトルは「海のとなり」。10月3日発売。シンプルに。",
        Category::Other,
        &["海のとなり", "10月3日発売"],
        &["タイトルは", "シンプルに"],
    );
    says(
        "Plakat fürs Kellerkonzert: Trio Nebelhorn, Freitag 12.9. Bitte keine Instrumente abbilden. Mit Lorbeerkranz wenn es geht.",
        Category::Other,
        &["Trio Nebelhorn"],
        &["abbilden", "Lorbeerkranz"],
    );
}
