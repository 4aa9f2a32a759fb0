//! The words that stand in where a brief gives none: a first draft that a person makes their own.
//!
//! No figure, name or promise is made up here: what stands in speaks of what such a thing always is about.

/// A name and a sentence.
pub type Pair = (&'static str, &'static str);

/// What the drafts of a language are made of.
pub struct Phrases {
    /// Two letters.
    pub language: &'static str,
    /// Titles: the idea, whom it is for, what there is, how it goes, what is next, thanks, what is to come.
    pub idea: &'static str,
    pub audience: &'static str,
    pub offer: &'static str,
    pub plan: &'static str,
    pub next: &'static str,
    pub thanks: &'static str,
    pub agenda: &'static str,
    /// Titles of pages of numbers: what stands out, all numbers.
    pub highlights: &'static str,
    pub all_numbers: &'static str,
    pub total: &'static str,
    pub highest: &'static str,
    pub average: &'static str,
    /// What an empty brief is called.
    pub untitled: &'static str,
}

/// What the drafts about a field are made of.
pub struct Field {
    pub language: &'static str,
    /// Beginnings of words that tell the field.
    pub signs: &'static [&'static str],
    pub tagline: &'static str,
    pub promise: &'static str,
    pub audience: [Pair; 3],
    pub offers: [Pair; 4],
    pub steps: [Pair; 4],
    pub next: [Pair; 3],
}

/// The phrases of a language; English where it is not among them.
pub fn phrases(language: &str) -> &'static Phrases {
    PHRASES.iter().find(|phrases| phrases.language == language).unwrap_or(&PHRASES[0])
}

/// The field that a text is about; the language's general one where none is told.
pub fn field(language: &str, text: &str) -> &'static Field {
    let text = text.to_lowercase();
    let told = |field: &&Field| {
        field.signs.iter().any(|sign| text.split(|letter: char| !letter.is_alphanumeric()).any(|word| word.starts_with(sign)))
    };
    let general = || FIELDS.iter().find(|field| field.language == language && field.signs.is_empty());
    FIELDS.iter().filter(|field| field.language == language).find(told).or_else(general).unwrap_or(&FIELDS[0])
}

const PHRASES: &[Phrases] = &[
    Phrases { language: "en", idea: "The idea", audience: "Who it is for", offer: "What we offer", plan: "How we get there", next: "What happens next", thanks: "Thank you", agenda: "What to expect", highlights: "At a glance", all_numbers: "All figures", total: "Total", highest: "Highest", average: "Average", untitled: "Untitled" },
    Phrases { language: "de", idea: "Die Idee", audience: "Für wen es ist", offer: "Was wir bieten", plan: "Wie wir vorgehen", next: "Wie es weitergeht", thanks: "Vielen Dank", agenda: "Was Sie erwartet", highlights: "Auf einen Blick", all_numbers: "Alle Zahlen", total: "Summe", highest: "Höchster Wert", average: "Durchschnitt", untitled: "Ohne Titel" },
    Phrases { language: "fr", idea: "L’idée", audience: "Pour qui", offer: "Ce que nous proposons", plan: "Comment nous procédons", next: "Et maintenant", thanks: "Merci", agenda: "Au programme", highlights: "En un coup d’œil", all_numbers: "Tous les chiffres", total: "Total", highest: "Maximum", average: "Moyenne", untitled: "Sans titre" },
    Phrases { language: "es", idea: "La idea", audience: "Para quién es", offer: "Qué ofrecemos", plan: "Cómo lo hacemos", next: "Próximos pasos", thanks: "Gracias", agenda: "Contenido", highlights: "De un vistazo", all_numbers: "Todas las cifras", total: "Total", highest: "Máximo", average: "Promedio", untitled: "Sin título" },
    Phrases { language: "ru", idea: "Идея", audience: "Для кого это", offer: "Что мы предлагаем", plan: "Как мы работаем", next: "Следующие шаги", thanks: "Спасибо", agenda: "О чём речь", highlights: "Главное", all_numbers: "Все показатели", total: "Всего", highest: "Максимум", average: "В среднем", untitled: "Без названия" },
    Phrases { language: "el", idea: "Η ιδέα", audience: "Για ποιους", offer: "Τι προσφέρουμε", plan: "Πώς προχωράμε", next: "Τα επόμενα βήματα", thanks: "Ευχαριστούμε", agenda: "Περιεχόμενα", highlights: "Με μια ματιά", all_numbers: "Όλα τα στοιχεία", total: "Σύνολο", highest: "Μέγιστο", average: "Μέσος όρος", untitled: "Χωρίς τίτλο" },
    Phrases { language: "he", idea: "הרעיון", audience: "למי זה מיועד", offer: "מה אנחנו מציעים", plan: "איך מתקדמים", next: "הצעדים הבאים", thanks: "תודה רבה", agenda: "על מה נדבר", highlights: "במבט אחד", all_numbers: "כל הנתונים", total: "סך הכול", highest: "הגבוה ביותר", average: "ממוצע", untitled: "ללא שם" },
    Phrases { language: "ar", idea: "الفكرة", audience: "لمن هذا", offer: "ماذا نقدم", plan: "كيف نعمل", next: "الخطوات التالية", thanks: "شكراً لكم", agenda: "المحتويات", highlights: "نظرة سريعة", all_numbers: "كل الأرقام", total: "المجموع", highest: "الأعلى", average: "المتوسط", untitled: "بلا عنوان" },
];

const FIELDS: &[Field] = &[
    Field { language: "en", signs: &[], tagline: "A clear idea, and how to make it happen.",
        promise: "One clear step forward beats ten that only look good on paper.",
        audience: [("Those who decide", "They need the whole picture on one page, and what it asks of them."), ("Those who do the work", "They need to know what changes on Monday morning, and why."), ("Those it is made for", "They notice one thing only: whether it makes their day easier.")],
        offers: [("Focus", "One problem, understood well enough to explain in a sentence."), ("Craft", "Small things done with care, so that the large ones hold."), ("Pace", "Short rounds with something to show at the end of each."), ("Trust", "Plain words about what works, and about what does not yet.")],
        steps: [("Listen", "Talk to the people concerned before anything is drawn."), ("Shape", "Put the best idea into a form that can be tried."), ("Try", "Let a few use it, watch, and change what gets in the way."), ("Launch", "Open it to everyone, and keep listening.")],
        next: [("Agree", "Settle the goal and who speaks for it."), ("Begin", "Start with the smallest part that is useful by itself."), ("Look back", "Meet after the first month and decide what follows.")] },
    Field { language: "en", signs: &["bak", "bread", "caf", "coffee", "restaurant", "food", "menu", "kitchen", "chef", "pizza", "wine", "tea", "cook", "brunch", "dinner"],
        tagline: "Baked before sunrise, gone by noon.",
        promise: "Good things take a night to rise and a morning to share.",
        audience: [("Early neighbours", "They come before work and want it warm, quick and by name."), ("Weekend tables", "Families and friends who stay for a second cup."), ("Kitchens nearby", "Cafés and restaurants that want bread they can put their name to.")],
        offers: [("From the oven", "A short list of loaves and pastries, made by hand every night."), ("At the counter", "Coffee, a seat by the window, and somebody who knows your order."), ("For the season", "What the fields bring this week decides what the ovens do."), ("To take home", "Starters, flour and the recipes that we use ourselves.")],
        steps: [("Taste", "Open the kitchen for one evening and let the street try everything."), ("Prepare", "Set up the counter, train the team, settle the first list."), ("Open", "Doors open on a Saturday, with the ovens in plain sight."), ("Stay", "Learn what sells out first, and bake more of that.")],
        next: [("Choose the day", "Pick the opening weekend and count back from there."), ("Invite the street", "A card in every letter box within ten minutes on foot."), ("Fill the shelves", "Settle suppliers for flour, milk, fruit and coffee.")] },
    Field { language: "en", signs: &["softw", "app", "saas", "tech", "startup", "platform", "ai", "data", "cloud", "develop", "api", "robot", "cyber", "digital", "code", "product"],
        tagline: "Less to manage. More to build.",
        promise: "The best tool is the one that nobody has to think about.",
        audience: [("Teams that ship", "They want fewer steps between an idea and a release."), ("People who run it", "They want to see what is happening, and to sleep at night."), ("People who pay for it", "They want to know what it saves, in hours and in risk.")],
        offers: [("One place", "What used to be spread over five tools stands side by side."), ("Quick answers", "Everything can be searched, and the search finds it."), ("Safe by default", "Nothing leaves without being meant to, and all of it can be undone."), ("Open ends", "An interface for everything, so that it fits into what is there.")],
        steps: [("Connect", "Bring in what exists; nothing has to be moved by hand."), ("Set up", "Begin with sensible defaults and change what matters."), ("Invite", "Let one team work with it for two weeks."), ("Scale", "Roll it out when the numbers say so.")],
        next: [("Pilot", "One team, one goal, two weeks."), ("Measure", "Compare before and after, with the same yardstick."), ("Decide", "Go on, change course, or stop, on one page.")] },
    Field { language: "en", signs: &["yoga", "fitness", "health", "medic", "clinic", "well", "sport", "run", "gym", "care", "therap", "mind", "dent"],
        tagline: "Feel the difference in a fortnight.",
        promise: "Small habits, kept for long, change more than great resolutions.",
        audience: [("Beginners", "They need a first step that is easy to take."), ("Those coming back", "They need a plan that forgives a missed week."), ("Regulars", "They need something new to reach for.")],
        offers: [("A gentle start", "A first meeting to find out where you stand."), ("A plan that fits", "Made for your week, not for an ideal one."), ("Company", "Small groups, so that somebody notices when you are missing."), ("Progress", "A look back every month, in plain numbers.")],
        steps: [("Arrive", "Come by, look around, ask everything."), ("Assess", "Find out what your body can do today."), ("Practise", "Twice a week is enough to begin with."), ("Grow", "Add weight, length or depth, one at a time.")],
        next: [("Book", "Choose a first appointment that suits your week."), ("Pack", "Comfortable clothes and a bottle of water will do."), ("Begin", "We take care of everything else.")] },
    Field { language: "en", signs: &["concert", "festival", "music", "jazz", "event", "exhib", "museum", "theat", "film", "art", "gallery", "danc", "party", "wedding", "gala", "conference", "meetup", "market"],
        tagline: "One evening to remember.",
        promise: "Come for an hour. Stay until the lights go out.",
        audience: [("Those who know", "They come for the names on the bill."), ("Those who are curious", "They come because a friend said so."), ("Those next door", "They come because it is theirs.")],
        offers: [("On stage", "A programme that moves from the quiet to the loud."), ("At the bar", "Good drinks at fair prices, and something to eat."), ("In between", "Room to talk, to sit, and to meet who just played."), ("For all", "Step-free, with a quiet corner and water for free.")],
        steps: [("Doors", "Come early for a seat near the front."), ("First set", "New names, and one that you will hear again."), ("Main act", "What everybody came for."), ("Late", "Records until the last guest goes.")],
        next: [("Save the date", "Put it into the calendar and tell two friends."), ("Get a place", "Seats go by order of reply."), ("Come along", "Bring somebody who has never been.")] },
    Field { language: "en", signs: &["school", "course", "learn", "teach", "lesson", "workshop", "student", "universit", "train", "educat", "class", "kids", "child"],
        tagline: "Learn it by doing it.",
        promise: "What you have made with your own hands, you do not forget.",
        audience: [("Beginners", "No knowledge is needed, only an afternoon."), ("The practised", "Find the gaps that habit has hidden."), ("Teachers", "Take the material along and use it on Monday.")],
        offers: [("Short talks", "Twenty minutes, then hands on the table."), ("Real work", "Exercises taken from life, not from a book."), ("Small groups", "Everybody is seen, every question is heard."), ("To take home", "Notes, examples and a way to go on.")],
        steps: [("See", "Watch it done once, slowly."), ("Try", "Do it together, with somebody at your side."), ("Repeat", "Do it alone, and make mistakes."), ("Show", "Explain it to somebody else: then you know it.")],
        next: [("Sign up", "Choose a date; places are few."), ("Prepare", "Read two pages; that is all."), ("Join in", "Bring a question of your own.")] },
    Field { language: "en", signs: &["garden", "climate", "energy", "forest", "nature", "sustain", "environ", "green", "solar", "ocean", "bee", "communit", "volunteer", "charit", "donat", "farm", "river", "tree", "city", "park"],
        tagline: "Grown here, for everyone.",
        promise: "What a street looks after together, lasts.",
        audience: [("Neighbours", "They see it every day and know what is missing."), ("Volunteers", "They have two hours and want to use them well."), ("The city", "It needs partners who keep their word.")],
        offers: [("Places to grow", "Beds, trees and corners that belong to everybody."), ("Hands that help", "Regular days with tools, tea and a plan."), ("Know-how", "Simple guides, shared freely."), ("A voice", "One contact for what the quarter needs.")],
        steps: [("Map", "Walk the area and note what is there."), ("Plant", "Begin with what grows in the first season."), ("Tend", "Share the work out: a little, often."), ("Share", "Harvest, cook, invite.")],
        next: [("Meet", "Come to the next open evening."), ("Adopt", "Take on one bed, one tree, one bench."), ("Tell", "Bring a neighbour along.")] },
    Field { language: "en", signs: &["travel", "hotel", "trip", "tour", "island", "beach", "mountain", "hik", "holiday", "vacation", "house", "home", "estate", "apartment", "architect", "interior"],
        tagline: "Stay a little longer.",
        promise: "A place is good when you would rather not leave it.",
        audience: [("Couples", "A few quiet days with a view."), ("Families", "Room to run, and a plan for the rain."), ("Friends", "One long table and no early morning.")],
        offers: [("The place", "Light, quiet, and made of what is found nearby."), ("The days", "Walks from the door, and somebody who knows the way."), ("The table", "Local, simple, and on time when you are hungry."), ("The nights", "Good beds, dark skies, no noise.")],
        steps: [("Arrive", "From the station in half an hour, by bus or on foot."), ("Settle", "Keys, a map, something cold to drink."), ("Explore", "Three walks for three kinds of weather."), ("Return", "Most guests come back within two years.")],
        next: [("Look", "See which weeks are free."), ("Ask", "Tell us what you need; we answer the same day."), ("Pack", "Shoes for walking, and a book.")] },
    Field { language: "de", signs: &[], tagline: "Eine klare Idee – und der Weg dorthin.",
        promise: "Ein guter Schritt ist mehr wert als zehn schöne Pläne.",
        audience: [("Wer entscheidet", "Braucht das ganze Bild auf einer Seite und weiß, was zu tun ist."), ("Wer es umsetzt", "Muss wissen, was sich am Montag ändert und warum."), ("Wer es nutzt", "Merkt nur eines: ob der Tag leichter wird.")],
        offers: [("Klarheit", "Ein Problem, so gut verstanden, dass ein Satz genügt."), ("Sorgfalt", "Kleine Dinge gut gemacht, damit die großen halten."), ("Tempo", "Kurze Runden, an deren Ende immer etwas zu sehen ist."), ("Vertrauen", "Offene Worte über das, was geht, und das, was noch fehlt.")],
        steps: [("Zuhören", "Mit den Menschen sprechen, um die es geht."), ("Entwerfen", "Die beste Idee in eine Form bringen."), ("Erproben", "Beobachten, was stört, und es ändern."), ("Starten", "Für alle öffnen und weiter zuhören.")],
        next: [("Einigen", "Ziel und Zuständigkeit festlegen."), ("Beginnen", "Mit dem kleinsten nützlichen Teil."), ("Zurückblicken", "Nach einem Monat gemeinsam entscheiden.")] },
    Field { language: "fr", signs: &[], tagline: "Une idée claire, et le chemin pour y arriver.",
        promise: "Un pas bien fait vaut mieux que dix beaux projets.",
        audience: [("Ceux qui décident", "Ils veulent tout voir sur une page."), ("Ceux qui font", "Ils veulent savoir ce qui change lundi, et pourquoi."), ("Ceux qui en profitent", "Ils ne remarquent qu’une chose : leur journée est plus simple.")],
        offers: [("La clarté", "Un problème compris au point de tenir en une phrase."), ("Le soin", "De petites choses bien faites, pour que les grandes tiennent."), ("Le rythme", "Des étapes courtes, avec un résultat à chaque fois."), ("La confiance", "Des mots simples sur ce qui marche et ce qui manque encore.")],
        steps: [("Écouter", "Parler avec les personnes concernées."), ("Dessiner", "Donner une forme à la meilleure idée."), ("Essayer", "Observer, puis corriger ce qui gêne."), ("Ouvrir", "À tous, en continuant d’écouter.")],
        next: [("Décider", "Fixer le but et qui le porte."), ("Commencer", "Par la plus petite partie utile."), ("Revenir", "Faire le point après un mois.")] },
    Field { language: "es", signs: &[], tagline: "Una idea clara y el camino para lograrla.",
        promise: "Un buen paso vale más que diez planes bonitos.",
        audience: [("Quien decide", "Necesita ver todo en una página."), ("Quien lo hace", "Necesita saber qué cambia el lunes y por qué."), ("Quien lo usa", "Solo nota una cosa: si su día es más fácil.")],
        offers: [("Claridad", "Un problema que cabe en una frase."), ("Oficio", "Cosas pequeñas bien hechas, para que las grandes duren."), ("Ritmo", "Etapas cortas, cada una con un resultado."), ("Confianza", "Palabras sencillas sobre lo que funciona y lo que falta.")],
        steps: [("Escuchar", "Hablar con las personas implicadas."), ("Diseñar", "Dar forma a la mejor idea."), ("Probar", "Observar y corregir lo que estorba."), ("Lanzar", "Abrir a todos y seguir escuchando.")],
        next: [("Acordar", "Fijar la meta y quién la lleva."), ("Empezar", "Con la parte útil más pequeña."), ("Revisar", "Decidir juntos después de un mes.")] },
    Field { language: "ru", signs: &[], tagline: "Ясная идея и путь к ней.",
        promise: "Один верный шаг дороже десяти красивых планов.",
        audience: [("Тем, кто решает", "Им нужна вся картина на одной странице."), ("Тем, кто делает", "Им важно знать, что изменится в понедельник."), ("Тем, для кого это", "Они замечают одно: стал ли день легче.")],
        offers: [("Ясность", "Задача, которую можно объяснить одной фразой."), ("Мастерство", "Малое сделано хорошо, чтобы большое держалось."), ("Темп", "Короткие этапы с видимым результатом."), ("Доверие", "Простые слова о том, что работает, а что ещё нет.")],
        steps: [("Слушаем", "Говорим с теми, кого это касается."), ("Создаём", "Придаём лучшей идее форму."), ("Пробуем", "Смотрим и меняем то, что мешает."), ("Запускаем", "Открываем для всех и слушаем дальше.")],
        next: [("Договориться", "Определить цель и ответственного."), ("Начать", "С самой малой полезной части."), ("Оглянуться", "Решить вместе через месяц.")] },
    Field { language: "el", signs: &[], tagline: "Μια καθαρή ιδέα και ο δρόμος προς αυτήν.",
        promise: "Ένα καλό βήμα αξίζει περισσότερο από δέκα ωραία σχέδια.",
        audience: [("Όσοι αποφασίζουν", "Θέλουν όλη την εικόνα σε μία σελίδα."), ("Όσοι το κάνουν", "Θέλουν να ξέρουν τι αλλάζει τη Δευτέρα."), ("Όσοι το χρησιμοποιούν", "Θέλουν η μέρα τους να γίνει πιο εύκολη.")],
        offers: [("Καθαρότητα", "Ένα πρόβλημα που χωρά σε μία πρόταση."), ("Μεράκι", "Μικρά πράγματα καλά φτιαγμένα."), ("Ρυθμός", "Σύντομα βήματα με αποτέλεσμα."), ("Εμπιστοσύνη", "Απλά λόγια για ό,τι δουλεύει.")],
        steps: [("Ακούμε", "Μιλάμε με όσους αφορά."), ("Σχεδιάζουμε", "Δίνουμε μορφή στην καλύτερη ιδέα."), ("Δοκιμάζουμε", "Παρατηρούμε και διορθώνουμε."), ("Ξεκινάμε", "Ανοίγουμε για όλους.")],
        next: [("Συμφωνούμε", "Ορίζουμε τον στόχο."), ("Αρχίζουμε", "Με το μικρότερο χρήσιμο μέρος."), ("Κοιτάμε πίσω", "Μετά από έναν μήνα.")] },
    Field { language: "he", signs: &[], tagline: "רעיון ברור, והדרך להגשים אותו.",
        promise: "צעד טוב אחד שווה יותר מעשר תוכניות יפות.",
        audience: [("מי שמחליט", "צריך לראות את התמונה כולה בעמוד אחד."), ("מי שמבצע", "צריך לדעת מה משתנה ביום ראשון ולמה."), ("מי שמשתמש", "מרגיש רק דבר אחד: האם היום נעשה קל יותר.")],
        offers: [("בהירות", "בעיה אחת שאפשר להסביר במשפט."), ("הקפדה", "דברים קטנים שנעשו היטב."), ("קצב", "סבבים קצרים עם תוצאה בכל סוף."), ("אמון", "מילים פשוטות על מה שעובד.")],
        steps: [("להקשיב", "לדבר עם מי שהדבר נוגע לו."), ("לעצב", "לתת צורה לרעיון הטוב ביותר."), ("לנסות", "להתבונן ולשנות את מה שמפריע."), ("להשיק", "לפתוח לכולם ולהמשיך להקשיב.")],
        next: [("להסכים", "לקבוע מטרה ואחראי."), ("להתחיל", "בחלק השימושי הקטן ביותר."), ("להביט לאחור", "להחליט יחד אחרי חודש.")] },
    Field { language: "ar", signs: &[], tagline: "فكرة واضحة والطريق إليها.",
        promise: "خطوة جيدة واحدة خير من عشر خطط جميلة.",
        audience: [("من يقرر", "يحتاج إلى الصورة كاملة في صفحة واحدة."), ("من ينفذ", "يريد أن يعرف ما الذي سيتغير ولماذا."), ("من يستخدم", "يلاحظ أمراً واحداً: هل أصبح يومه أسهل.")],
        offers: [("الوضوح", "مشكلة واحدة يمكن شرحها في جملة."), ("الإتقان", "أشياء صغيرة صنعت بعناية."), ("الإيقاع", "مراحل قصيرة مع نتيجة في كل نهاية."), ("الثقة", "كلمات بسيطة عما يعمل وما ينقص.")],
        steps: [("نستمع", "نتحدث مع أصحاب الشأن."), ("نصمم", "نعطي أفضل فكرة شكلاً."), ("نجرب", "نراقب ونغير ما يعيق."), ("ننطلق", "نفتح للجميع ونواصل الاستماع.")],
        next: [("نتفق", "نحدد الهدف والمسؤول."), ("نبدأ", "بأصغر جزء مفيد."), ("نراجع", "نقرر معاً بعد شهر.")] },
];
