//! Briefs in which the one who writes speaks to a designer in passing: what stands on the page, and what does not.
//! Deliberately not here: how the pages look.

mod drawn;

use easel_canvas::{Category, Document};

use drawn::{draw, only};

fn all_words(document: &Document) -> String {
    format!("{:?}", only(document))
}

/// Draws a brief; every one of the facts stands on its pages, and none of the directions does.
fn says(prompt: &str, category: Category, facts: &[&str], directions: &[&str]) {
    let words = all_words(&draw(prompt, category)).to_lowercase();
    for fact in facts {
        assert!(words.contains(&fact.to_lowercase()), "“{fact}” is missing of {prompt}:\n{words}");
    }
    for direction in directions {
        assert!(!words.contains(&direction.to_lowercase()), "“{direction}” stands on {prompt}:\n{words}");
    }
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
