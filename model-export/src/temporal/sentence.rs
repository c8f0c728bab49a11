//! Sentences around temporal expressions, and sentences without any.

use super::Chance;
use super::voice::{Language, Phrase, Split};

/// What stands for the expression with its preposition, and without.
const WITH: &str = "{in}";
const BARE: &str = "{}";

const FRAMES: [(Split, &str); 22] = [
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

const CHINESE_FRAMES: [(Split, &str); 10] = [
    (Split::Train, "{}"),
    (Split::Train, "{}"),
    (Split::Train, "{}制作的{thing}"),
    (Split::Train, "此{thing}成于{}。"),
    (Split::Train, "{}，{person}{deed}。"),
    (Split::Train, "{person}于{}{deed}。"),
    (Split::Train, "{}发生了什么？"),
    (Split::HeldOut, "谁在{}{deed}？"),
    (Split::HeldOut, "{thing}（{}）"),
    (Split::HeldOut, "据记载，{person}{deed}是在{}。"),
];

const UNDATED: [(Split, &str); 7] = [
    (Split::Train, "A {thing} from {place}."),
    (Split::Train, "{person} {deed}."),
    (
        Split::Train,
        "The {thing} shows {person}; it came from {place}.",
    ),
    (Split::Train, "{thing}"),
    (Split::HeldOut, "Nobody knows who {deed}."),
    (Split::HeldOut, "{person} of {place} owned this {thing}."),
    (Split::HeldOut, "Where is the {thing} kept?"),
];

const CHINESE_UNDATED: [(Split, &str); 4] = [
    (Split::Train, "{person}{deed}。"),
    (Split::Train, "{thing}"),
    (Split::HeldOut, "谁{deed}？"),
    (Split::HeldOut, "{person}所藏之{thing}"),
];

const THINGS: [&str; 24] = [
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
const DEEDS: [&str; 24] = [
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
    let start = chance.below(frames.len());
    let mut turned = frames.iter().cycle().skip(start).take(frames.len());
    turned
        .find(|(s, _)| *s == split)
        .map_or(BARE, |(_, frame)| frame)
}

fn filled(frame: &str, language: Language, chance: &mut Chance) -> String {
    let (things, persons, deeds): (&[&str], &[&str], &[&str]) = match language {
        Language::English => (&THINGS, &PERSONS, &DEEDS),
        Language::Chinese => (&CHINESE_THINGS, &CHINESE_PERSONS, &CHINESE_DEEDS),
    };
    let person = persons[chance.below(persons.len())];
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

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        // A short title such as "c. 1850" stays as museums write it.
        Some(first) if text.len() > 12 => first.to_uppercase().chain(letters).collect(),
        _ => text.to_owned(),
    }
}
