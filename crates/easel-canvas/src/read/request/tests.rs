//! Sentences that ask, and what they come to.

use super::*;

#[test]
fn tells_the_thing_from_its_subject_and_from_wishes() {
    for (sentence, kind, kicker, title, subtitle, details, content) in [
        (
            "Pitch deck for Loopwise, a route planner for bakeries, 8 slides, dark",
            Kind::Deck,
            "",
            "Loopwise",
            "A route planner for bakeries",
            vec![],
            vec![],
        ),
        (
            "Poster: Summer Jazz Night, 12 July, Riverside Park",
            Kind::Poster,
            "",
            "",
            "",
            vec![],
            vec!["Summer Jazz Night, 12 July, Riverside Park"],
        ),
        (
            "Create a poster saying \"Open studio\", Saturday, free entry",
            Kind::Poster,
            "",
            "Open studio",
            "",
            vec![],
            vec!["Saturday", "free entry"],
        ),
        (
            "Please make us a moody flyer for our summer concert on 12 July at 8 pm in Riverside Park",
            Kind::Flyer,
            "",
            "Summer concert",
            "",
            vec!["12 July at 8 pm", "Riverside Park"],
            vec![],
        ),
        ("Summer party invitation in dark blue", Kind::Invitation, "", "Summer party", "", vec![], vec![]),
        (
            "Wedding invitation for Anna & Paul, lots of white space",
            Kind::Invitation,
            "Wedding",
            "Anna & Paul",
            "",
            vec![],
            vec![],
        ),
        ("Hochzeitseinladung für Mira und Jon", Kind::Invitation, "Hochzeit", "Mira und Jon", "", vec![], vec![]),
        (
            "Präsentation über erneuerbare Energien für die Geschäftsführung, 5 Folien",
            Kind::Deck,
            "",
            "Erneuerbare Energien",
            "",
            vec![],
            vec![],
        ),
    ] {
        let read = read(sentence, false);
        assert_eq!(read.kind, Some(kind), "{sentence}");
        assert_eq!(
            (read.kicker.as_str(), read.title.as_str(), read.subtitle.as_str()),
            (kicker, title, subtitle),
            "{sentence}"
        );
        assert_eq!(read.details, details, "{sentence}");
        assert_eq!(read.content, content, "{sentence}");
    }
}

#[test]
fn knows_a_request_from_other_sentences() {
    for sentence in [
        "Poster for the fair",
        "Can you make a one-pager about bees?",
        "Speisekarte für das Café Luna",
        "Design something about bees",
    ] {
        assert!(is_request(sentence), "{sentence}");
    }
    for sentence in ["Join us for an evening of jazz", "We make bread", "Doors open at 7"] {
        assert!(!is_request(sentence), "{sentence}");
    }
}
