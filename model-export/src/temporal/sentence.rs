//! Sentences around temporal expressions, and sentences without any.

use super::Chance;
use super::voice::{Language, Phrase, Split};

/// What stands for the expression with its preposition, and without.
const WITH: &str = "{in}";
const BARE: &str = "{}";

const FRAMES: [(Split, &str); 81] = [
    (Split::Train, "{}"),
    (Split::Train, "{}"),
    (Split::Train, "The {thing} was made {in}."),
    (Split::Train, "{thing}, {}"),
    (Split::Train, "A {thing} from {place}, made {in}."),
    (Split::Train, "{thing} {in}"),
    (Split::Train, "Who {deed} {in}?"),
    (Split::Train, "{person} {deed} {in}."),
    (Split::Train, "{In}, {person} {deed}."),
    (Split::Train, "What happened in {place} {in}?"),
    (Split::Train, "It was {in} that {person} {deed}."),
    (Split::Train, "Which {person} {deed} {in}?"),
    (
        Split::Train,
        "{person}, who {deed} {in}, came from {place}.",
    ),
    (Split::Train, "The date of the {thing} is {}."),
    (Split::Train, "An account of {place} written {in}"),
    (
        Split::Train,
        "{person} {deed} {in} and never came back to {place}.",
    ),
    (
        Split::Train,
        "In {place}, {person} {deed} {in}, as the letters show.",
    ),
    (Split::Train, "{thing}, {place}, {}"),
    (Split::Train, "{thing}. {}. {place}"),
    (Split::Train, "{}. {thing}"),
    (Split::Train, "{} | {thing}"),
    (Split::Train, "{thing}: {}"),
    (Split::Train, "Made in {place}, {}"),
    (Split::Train, "Date: {}"),
    (Split::Train, "Date {}; {thing}; {place}"),
    (
        Split::Train,
        "When {person} {deed} {in}, the town was small.",
    ),
    (
        Split::Train,
        "Since the {thing} was found {in}, it has stayed in {place}.",
    ),
    (Split::Train, "{In} the {thing} came to {place}."),
    (
        Split::Train,
        "{In}, the {thing} belonged to {person}, who {deed}.",
    ),
    (Split::Train, "Did {person} live in {place} {in}?"),
    (Split::Train, "Where was {person} {in}?"),
    (Split::Train, "Which {thing} was bought {in}?"),
    (Split::Train, "{thing} from {place} {in}"),
    (Split::Train, "Find everything about {place} {in}"),
    (Split::Train, "News from {place}, {}"),
    (Split::Train, "Born in {place} {in}, {person} {deed}."),
    (Split::Train, "After a long illness {person} died {in}."),
    (
        Split::Train,
        "The Nobel Prize was awarded {in} to {person}.",
    ),
    (Split::Train, "{person} served as mayor of {place} {in}."),
    (
        Split::Train,
        "Who was the head of the school in {place} {in}?",
    ),
    (Split::Train, "Which team did {person} play for {in}?"),
    (Split::Train, "Inventory no. {number}: {thing}, {}"),
    (Split::Train, "{thing}, {number} cm high, {}"),
    (Split::Train, "A {thing} with {number} leaves, made {in}."),
    (
        Split::Train,
        "{In}, {number} people of {place} saw how {person} {deed}.",
    ),
    (Split::Train, "Lot {number}. {thing}. {}."),
    (
        Split::Train,
        "The {number} pages were written {in} in {place}.",
    ),
    (Split::Train, "{person}, aged {number}, {deed} {in}."),
    (Split::Train, "The reign of {person} began {in}."),
    (Split::Train, "Exhibited {in}; gift of {person}."),
    (
        Split::Train,
        "It is said that {person} {deed} {in}, but no {thing} is left.",
    ),
    (Split::Train, "By all accounts the {thing} was lost {in}."),
    (
        Split::Train,
        "{In}, after {number} years of work, {person} {deed}.",
    ),
    (
        Split::Train,
        "It took {person} {number} days to reach {place}, {in}.",
    ),
    (
        Split::Train,
        "{person} {deed} {in}, at the age of {number}.",
    ),
    (Split::Train, "On that day, {in}, {person} {deed}."),
    (Split::Train, "Some {number} visitors saw the {thing} {in}."),
    (
        Split::Train,
        "{person} paid {number} pounds for the {thing} {in}.",
    ),
    (Split::Train, "On page {number}: {person} {deed} {in}."),
    (Split::Train, "{thing}, {number} x {number} cm, {}"),
    (
        Split::Train,
        "{number} of the {number} prints date from {}.",
    ),
    (Split::Train, "Fig. {number}. {thing}, {}."),
    (
        Split::Train,
        "All {number} members were there when {person} {deed} {in}.",
    ),
    (Split::Train, "{person} {deed} {in} with {number} ships."),
    (Split::Train, "Two brothers of {person} {deed} {in}."),
    (Split::Train, "The second {thing} of {person} is from {}."),
    (Split::Train, "Folio {number}: {}, {place}"),
    (
        Split::HeldOut,
        "A record of {number} objects lists this {thing} as work done {in}.",
    ),
    (Split::HeldOut, "{place}, {}: {person} {deed}"),
    (
        Split::HeldOut,
        "We know of a {thing} that {person} owned {in}.",
    ),
    (
        Split::HeldOut,
        "Around the {thing} stood {number} men; it happened {in}.",
    ),
    (Split::HeldOut, "How many of them {deed} {in}?"),
    (Split::HeldOut, "{In} nobody knew that {person} {deed}."),
    (Split::HeldOut, "{thing} / {} / {place}"),
    (
        Split::Train,
        "According to the records, {person} {deed} {in} near {place}.",
    ),
    (
        Split::HeldOut,
        "Documents tell us that {in} {person} {deed}.",
    ),
    (
        Split::HeldOut,
        "The workshop in {place} finished this {thing} {in}.",
    ),
    (Split::HeldOut, "{thing} ({})"),
    (Split::HeldOut, "Can you find a {thing} produced {in}?"),
    (
        Split::HeldOut,
        "Nobody in {place} remembered that {person} {deed} {in}.",
    ),
    (Split::HeldOut, "Show me what {person} did {in}"),
];

const CHINESE_FRAMES: [(Split, &str); 19] = [
    (Split::Train, "{}"),
    (Split::Train, "{}"),
    (Split::Train, "{}制作的{thing}"),
    (Split::Train, "此{thing}成于{}。"),
    (Split::Train, "{}，{person}{deed}。"),
    (Split::Train, "{person}于{}{deed}。"),
    (Split::Train, "{}发生了什么？"),
    (Split::Train, "{}的{thing}"),
    (Split::Train, "{thing}，{}"),
    (Split::Train, "{thing}，{}制"),
    (Split::Train, "{person}在{}{deed}，后人记之。"),
    (Split::Train, "{}，{thing}由{person}收藏。"),
    (Split::Train, "哪位{person}在{}{deed}？"),
    (Split::Train, "年代：{}"),
    (Split::Train, "第{number}号：{thing}，{}"),
    (Split::HeldOut, "这件{thing}出自{}。"),
    (Split::HeldOut, "谁在{}{deed}？"),
    (Split::HeldOut, "{thing}（{}）"),
    (Split::HeldOut, "据记载，{person}{deed}是在{}。"),
];

const UNDATED: [(Split, &str); 64] = [
    (Split::Train, "A {thing} from {place}."),
    (Split::Train, "{person} {deed}."),
    (
        Split::Train,
        "The {thing} shows {person}; it came from {place}.",
    ),
    (Split::Train, "{thing}"),
    (Split::Train, "Who {deed}?"),
    (
        Split::Train,
        "In {place} {person} {deed}, and the {thing} was sold.",
    ),
    (Split::Train, "Inventory no. {number}: {thing}"),
    (
        Split::Train,
        "The {thing} is {number} cm high and {number} cm wide.",
    ),
    (Split::Train, "How was the {thing} made?"),
    (Split::Train, "{person} and {person} came from {place}."),
    (Split::Train, "Find {thing} in {place}"),
    (Split::Train, "A book of {number} pages about {place}."),
    (Split::Train, "It is not known when {person} {deed}."),
    (
        Split::Train,
        "Just {number} survive, and {number} of these are broken.",
    ),
    (Split::Train, "Some {number} visitors saw the {thing}."),
    (
        Split::Train,
        "More than {number} letters are kept in {place}.",
    ),
    (Split::Train, "All {number} pieces came to {place}."),
    (Split::Train, "Page {number} shows a {thing}."),
    (Split::Train, "{person} paid {number} pounds for it."),
    (Split::Train, "It weighs {number} grams."),
    (Split::Train, "At least {number} men of {place} {deed}."),
    (Split::Train, "Room {number}, case {number}"),
    (Split::Train, "Vol. {number}, p. {number}"),
    (
        Split::Train,
        "{number} sheets of paper, {number} x {number} cm",
    ),
    (
        Split::Train,
        "There were {number} houses and {number} shops in {place}.",
    ),
    (
        Split::Train,
        "Two brothers lived in {place}; one of them {deed}.",
    ),
    (Split::Train, "The first {thing} hangs in the second room."),
    (Split::Train, "The last of the three {deed}."),
    (Split::Train, "No date is given for this {thing}."),
    (Split::Train, "For many years {person} lived in {place}."),
    (Split::Train, "Every day {person} walked to {place}."),
    (
        Split::Train,
        "The year in which {person} {deed} is uncertain.",
    ),
    (Split::Train, "When did {person} come to {place}?"),
    (
        Split::Train,
        "{person} was the third child of a family from {place}.",
    ),
    (Split::Train, "About half of the {number} prints are lost."),
    (Split::Train, "They sold {number} and kept {number}."),
    (Split::Train, "One day {person} {deed}."),
    (Split::Train, "It was a day like any other in {place}."),
    (
        Split::Train,
        "The sources leave out on which day {person} {deed}.",
    ),
    (
        Split::Train,
        "We cannot tell the hour in which {person} {deed}.",
    ),
    (
        Split::Train,
        "Little is written about the week in which {person} {deed}.",
    ),
    (
        Split::Train,
        "Of the time when {person} {deed} there is no word.",
    ),
    (Split::Train, "The year of the {thing} is lost."),
    (Split::Train, "{person} worked day and night in {place}."),
    (Split::Train, "That year was a hard one for {place}."),
    (Split::Train, "In time, {person} {deed}."),
    (Split::Train, "Once upon a time {person} {deed}."),
    (Split::Train, "At the time, {person} lived in {place}."),
    (Split::Train, "It took {number} days to reach {place}."),
    (
        Split::Train,
        "The work on the {thing} lasted {number} years.",
    ),
    (Split::Train, "{person} was {number} years old."),
    (Split::Train, "The journey to {place} took three weeks."),
    (Split::Train, "The century saw many such things."),
    (Split::Train, "A month later the {thing} was gone."),
    (Split::Train, "This {thing} belonged to {person}."),
    (Split::Train, "{person} had a {thing} in {place}."),
    (Split::Train, "Why was the {thing} sold?"),
    (Split::Train, "Is the {thing} still in {place}?"),
    (Split::Train, "Nothing remains of the {thing}."),
    (Split::HeldOut, "Only {number} of them are left in {place}."),
    (
        Split::HeldOut,
        "Nothing is said of the day on which {person} {deed}.",
    ),
    (Split::HeldOut, "Nobody knows who {deed}."),
    (Split::HeldOut, "{person} of {place} owned this {thing}."),
    (Split::HeldOut, "Where is the {thing} kept?"),
];

const CHINESE_UNDATED: [(Split, &str); 10] = [
    (Split::Train, "{person}{deed}。"),
    (Split::Train, "{thing}"),
    (Split::Train, "{thing}，高{number}厘米"),
    (Split::Train, "共有{number}件，今存{number}件。"),
    (Split::Train, "{person}与{person}皆{deed}。"),
    (Split::Train, "何人{deed}？"),
    (Split::Train, "{thing}藏于{person}之家。"),
    (Split::Train, "第{number}页有{thing}。"),
    (Split::HeldOut, "谁{deed}？"),
    (Split::HeldOut, "{person}所藏之{thing}"),
];

const THINGS: [&str; 40] = [
    "bronze vessel",
    "oil painting",
    "wooden plough",
    "silk robe",
    "stone relief",
    "letter",
    "map of the harbor",
    "clay tablet",
    "silver coin",
    "portrait",
    "ivory comb",
    "printed book",
    "watercolor",
    "glass bowl",
    "sword",
    "photograph",
    "tapestry",
    "drawing of a bridge",
    "lute",
    "marble statue",
    "porcelain dish",
    "church bell",
    "manuscript",
    "steam engine",
    "brass lamp",
    "pair of shoes",
    "carved chest",
    "gold ring",
    "plaster cast",
    "prayer book",
    "fishing net",
    "iron key",
    "wedding dress",
    "model ship",
    "astrolabe",
    "altarpiece",
    "wool carpet",
    "toy horse",
    "charter",
    "fresco",
];
const PLACES: [&str; 20] = [
    "Vienna",
    "the river valley",
    "Kyoto",
    "a village near Lyon",
    "Egypt",
    "Boston",
    "Florence",
    "the northern provinces",
    "Prague",
    "Persia",
    "the old port",
    "Mexico",
    "Bengal",
    "Antwerp",
    "Sicily",
    "the capital",
    "Java",
    "Edinburgh",
    "the monastery",
    "Peru",
];
const PERSONS: [&str; 18] = [
    "the painter",
    "a merchant",
    "the queen",
    "the physicist",
    "the bishop",
    "a young engraver",
    "the governor",
    "the poet",
    "her brother",
    "the council",
    "a team of farmers",
    "the company",
    "the chemist",
    "the king's general",
    "an unknown sculptor",
    "the writer",
    "the society",
    "the astronomer",
];
const DEEDS: [&str; 40] = [
    "won the prize",
    "was born",
    "died of a fever",
    "rebuilt the tower",
    "left the city",
    "founded a school",
    "signed the treaty",
    "opened the mine",
    "wrote the chronicle",
    "moved to the coast",
    "joined the academy",
    "planted the orchard",
    "lost the election",
    "sold the collection",
    "discovered the element",
    "was crowned",
    "married",
    "cast the bell",
    "studied medicine",
    "led the expedition",
    "worked for the railway",
    "played for the club",
    "became director",
    "received the award",
    "took office",
    "retired",
    "was elected",
    "resigned",
    "went to sea",
    "published the poem",
    "built the bridge",
    "sailed for home",
    "was appointed professor",
    "conquered the fort",
    "paid the debt",
    "drew the plan",
    "became king",
    "opened a shop",
    "was buried",
    "gave a concert",
];
const CHINESE_THINGS: [&str; 10] = [
    "青花瓷瓶",
    "铜鼎",
    "山水画",
    "木犁",
    "玉佩",
    "书信",
    "佛像",
    "农书",
    "丝绸长袍",
    "银币",
];
const CHINESE_PERSONS: [&str; 8] = [
    "画家", "知县", "农夫", "皇帝", "僧人", "商人", "诗人", "将军",
];
const CHINESE_DEEDS: [&str; 10] = [
    "出生",
    "去世",
    "重修城墙",
    "撰写此书",
    "离开京城",
    "开垦荒地",
    "得中进士",
    "出使西域",
    "铸成大钟",
    "建立书院",
];

/// Puts a phrase into a sentence of a split; one in three stands among others without a date.
pub(super) fn around(
    phrase: &Phrase,
    language: Language,
    split: Split,
    chance: &mut Chance,
) -> String {
    let frames: &[(Split, &str)] = match language {
        Language::English => &FRAMES,
        Language::Chinese => &CHINESE_FRAMES,
    };
    let frame = pick(frames, split, chance);
    let with = format!("{}{}", phrase.preposition, phrase.text);
    let text = frame
        .replace("{In}", &capitalized(&with))
        .replace(WITH, &with)
        .replace(BARE, &phrase.text);
    let mut text = filled(&text, language, chance);
    if chance.below(3) == 0 {
        for _ in 0..=chance.below(2) {
            let other = undated(language, split, chance);
            let joint = if text.ends_with(['.', '?', '。', '？']) {
                " "
            } else {
                ". "
            };
            text = if chance.below(2) == 0 {
                format!("{text}{joint}{other}")
            } else {
                let joint = if other.ends_with(['.', '?', '。', '？']) {
                    " "
                } else {
                    ". "
                };
                format!("{other}{joint}{text}")
            };
        }
    }
    text
}

/// Writes a sentence that names no time.
pub(super) fn undated(language: Language, split: Split, chance: &mut Chance) -> String {
    let frames: &[(Split, &str)] = match language {
        Language::English => &UNDATED,
        Language::Chinese => &CHINESE_UNDATED,
    };
    let frame = pick(frames, split, chance);
    filled(frame, language, chance)
}

fn pick(frames: &[(Split, &'static str)], split: Split, chance: &mut Chance) -> &'static str {
    let own: Vec<&'static str> = frames
        .iter()
        .filter(|(s, _)| *s == split)
        .map(|(_, frame)| *frame)
        .collect();
    match own.len() {
        0 => BARE,
        count => own[chance.below(count)],
    }
}

fn filled(frame: &str, language: Language, chance: &mut Chance) -> String {
    let (things, persons, deeds): (&[&str], &[&str], &[&str]) = match language {
        Language::English => (&THINGS, &PERSONS, &DEEDS),
        Language::Chinese => (&CHINESE_THINGS, &CHINESE_PERSONS, &CHINESE_DEEDS),
    };
    let person = persons[chance.below(persons.len())];
    let mut frame = frame.to_owned();
    while frame.contains("{number}") {
        let most = [9, 90, 900, 2_100][chance.below(4)];
        let number = 1 + chance.below(most);
        frame = frame.replacen("{number}", &number.to_string(), 1);
    }
    let text = frame
        .replace(
            "Which {person}",
            &format!(
                "Which {}",
                person.trim_start_matches("the ").trim_start_matches("a ")
            ),
        )
        .replace("{thing}", things[chance.below(things.len())])
        .replace("{place}", PLACES[chance.below(PLACES.len())])
        .replace("{person}", person)
        .replace("{deed}", deeds[chance.below(deeds.len())]);
    capitalized(&text)
}

/// The bytes of a text in which a phrase stands; its first letter may have become a capital.
pub(super) fn place_of(phrase: &str, text: &str) -> std::ops::Range<usize> {
    let rest = phrase
        .char_indices()
        .nth(1)
        .map_or(phrase.len(), |(at, _)| at);
    let from = text.find(phrase).or_else(|| {
        text.find(&phrase[rest..])
            .and_then(|at| at.checked_sub(rest))
            .filter(|at| text.is_char_boundary(*at))
    });
    from.map_or(0..text.len(), |from| from..from + phrase.len())
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        // A short title such as "c. 1850" stays as museums write it.
        Some(first) if text.len() > 12 => first.to_uppercase().chain(letters).collect(),
        _ => text.to_owned(),
    }
}
