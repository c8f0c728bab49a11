//! The English words of dates.

use super::super::expression::Role;
use super::lexer::W;

/// The class of a word, whatever its case.
pub(crate) fn classify(letters: &[u8]) -> W {
    let mut lower = [0u8; 16];
    let Some(target) = lower.get_mut(..letters.len()) else {
        return W::Other;
    };
    target.copy_from_slice(letters);
    target.make_ascii_lowercase();
    let capital = letters.first().is_some_and(u8::is_ascii_uppercase);
    match &*target {
        b"january" | b"jan" => W::Month(1),
        b"february" | b"feb" | b"febr" => W::Month(2),
        b"march" => W::Month(3),
        b"mar" => W::Month(3),
        b"april" | b"apr" => W::Month(4),
        b"may" => W::Month(5),
        b"june" | b"jun" => W::Month(6),
        b"july" | b"jul" => W::Month(7),
        b"august" | b"aug" => W::Month(8),
        b"september" | b"sept" | b"sep" => W::Month(9),
        b"october" | b"oct" => W::Month(10),
        b"november" | b"nov" => W::Month(11),
        b"december" | b"dec" => W::Month(12),
        b"monday" | b"mon" | b"mondays" => W::Weekday(0),
        b"tuesday" | b"tues" | b"tue" | b"tuesdays" => W::Weekday(1),
        b"wednesday" | b"wed" | b"weds" | b"wednesdays" => W::Weekday(2),
        b"thursday" | b"thurs" | b"thur" | b"thu" | b"thursdays" => W::Weekday(3),
        b"friday" | b"fri" | b"fridays" => W::Weekday(4),
        b"saturday" | b"saturdays" => W::Weekday(5),
        b"sat" if capital => W::Weekday(5),
        b"sunday" | b"sundays" => W::Weekday(6),
        b"sun" if capital => W::Weekday(6),
        b"spring" | b"springtime" => W::Season(0),
        b"summer" | b"summertime" => W::Season(1),
        b"autumn" | b"fall" => W::Season(2),
        b"winter" | b"wintertime" => W::Season(3),
        b"first" => W::Ordinal(1),
        b"second" => W::Ordinal(2),
        b"third" => W::Ordinal(3),
        b"fourth" => W::Ordinal(4),
        b"fifth" => W::Ordinal(5),
        b"sixth" => W::Ordinal(6),
        b"seventh" => W::Ordinal(7),
        b"eighth" => W::Ordinal(8),
        b"ninth" => W::Ordinal(9),
        b"tenth" => W::Ordinal(10),
        b"eleventh" => W::Ordinal(11),
        b"twelfth" => W::Ordinal(12),
        b"thirteenth" => W::Ordinal(13),
        b"fourteenth" => W::Ordinal(14),
        b"fifteenth" => W::Ordinal(15),
        b"sixteenth" => W::Ordinal(16),
        b"seventeenth" => W::Ordinal(17),
        b"eighteenth" => W::Ordinal(18),
        b"nineteenth" => W::Ordinal(19),
        b"twentieth" => W::Ordinal(20),
        b"thirtieth" => W::Ordinal(30),
        b"one" => W::Cardinal(1),
        b"two" => W::Cardinal(2),
        b"three" => W::Cardinal(3),
        b"four" => W::Cardinal(4),
        b"five" => W::Cardinal(5),
        b"six" => W::Cardinal(6),
        b"seven" => W::Cardinal(7),
        b"eight" => W::Cardinal(8),
        b"nine" => W::Cardinal(9),
        b"ten" => W::Cardinal(10),
        b"eleven" => W::Cardinal(11),
        b"twelve" => W::Cardinal(12),
        b"thirteen" => W::Cardinal(13),
        b"fourteen" => W::Cardinal(14),
        b"fifteen" => W::Cardinal(15),
        b"sixteen" => W::Cardinal(16),
        b"seventeen" => W::Cardinal(17),
        b"eighteen" => W::Cardinal(18),
        b"nineteen" => W::Cardinal(19),
        b"twenty" => W::Cardinal(20),
        b"thirty" => W::Cardinal(30),
        b"forty" => W::Cardinal(40),
        b"fifty" => W::Cardinal(50),
        b"sixty" => W::Cardinal(60),
        b"seventy" => W::Cardinal(70),
        b"eighty" => W::Cardinal(80),
        b"ninety" => W::Cardinal(90),
        b"twenties" => W::Cardinal(1020),
        b"thirties" => W::Cardinal(1030),
        b"forties" => W::Cardinal(1040),
        b"fifties" => W::Cardinal(1050),
        b"sixties" => W::Cardinal(1060),
        b"seventies" => W::Cardinal(1070),
        b"eighties" => W::Cardinal(1080),
        b"nineties" => W::Cardinal(1090),
        b"noughties" => W::Cardinal(1100),
        b"hundred" | b"hundreds" => W::Hundred,
        b"thousand" | b"thousands" => W::Thousand,
        b"million" | b"millions" => W::Million,
        b"billion" | b"billions" => W::Billion,
        b"st" | b"nd" | b"rd" | b"th" => W::Suffix,
        b"s" => W::S,
        b"c" | b"ca" | b"circa" | b"ci" | b"cca" | b"cir" => W::Circa,
        b"about" | b"around" | b"roughly" | b"approx" | b"approximately" => W::Approximately,
        b"possibly" | b"probably" | b"perhaps" | b"maybe" | b"likely" | b"presumably" | b"prob"
        | b"poss" | b"uncertain" => W::Maybe,
        b"early" => W::Early,
        b"mid" => W::Mid,
        b"middle" => W::Middle,
        b"late" => W::Late,
        b"half" => W::Half,
        b"quarter" | b"quarters" => W::Quarter,
        b"thirds" => W::Third,
        b"century" | b"centuries" | b"cent" => W::Century,
        b"decade" | b"decades" => W::Decade,
        b"millennium" | b"millennia" | b"millenium" => W::Millennium,
        b"year" | b"years" | b"yr" | b"yrs" => W::Year,
        b"month" | b"months" => W::MonthUnit,
        b"week" | b"weeks" => W::WeekUnit,
        b"day" | b"days" => W::DayUnit,
        b"weekend" | b"weekends" => W::Weekend,
        b"fortnight" | b"fortnights" => W::Fortnight,
        b"bc" | b"bce" => W::Bce,
        b"ad" | b"ce" => W::Ce,
        b"bp" => W::Bp,
        b"ah" => W::Hijri,
        b"ya" | b"ybp" => W::Ya,
        b"ka" | b"kya" => W::Ka,
        b"ma" | b"mya" => W::Ma,
        b"before" | b"pre" | b"prior" | b"ante" => W::Before,
        b"after" | b"post" => W::After,
        b"by" => W::By,
        b"from" => W::From,
        b"to" | b"through" | b"thru" => W::To,
        b"until" | b"till" | b"til" => W::Until,
        b"between" => W::Between,
        b"and" => W::And,
        b"or" => W::Or,
        b"since" => W::Since,
        b"during" | b"throughout" => W::During,
        b"in" => W::In,
        b"on" => W::On,
        b"at" => W::At,
        b"of" => W::Of,
        b"the" => W::The,
        b"a" => W::A,
        b"no" => W::No,
        b"not" => W::Not,
        b"later" | b"onwards" | b"onward" | b"thereafter" => W::Later,
        b"earlier" => W::Earlier,
        b"than" => W::Than,
        b"dynasty" | b"dynasties" => W::Dynasty,
        b"period" | b"era" | b"reign" | b"periods" => W::Period,
        b"style" | b"styles" => W::Style,
        b"mark" | b"marks" | b"marked" => W::Mark,
        b"manner" | b"imitation" | b"imitating" => W::Manner,
        b"copy" | b"copies" => W::Copy,
        b"turn" => W::Turn,
        b"beginning" | b"start" => W::Beginning,
        b"end" | b"close" => W::End,
        b"ago" | b"back" => W::Ago,
        b"last" => W::Last,
        b"past" => W::Past,
        b"next" => W::Next,
        b"this" | b"current" => W::This,
        b"every" | b"each" => W::Every,
        b"yesterday" => W::Yesterday,
        b"today" => W::Today,
        b"tomorrow" | b"tmrw" | b"tmr" => W::Tomorrow,
        b"now" => W::Now,
        b"os" => W::OldStyle,
        b"ns" => W::NewStyle,
        b"created" | b"made" | b"painted" | b"executed" | b"completed" | b"built" | b"written"
        | b"composed" | b"carved" | b"woven" | b"signed" | b"drawn" => W::Role(Role::Created),
        b"printed" => W::Role(Role::Printed),
        b"reprinted" | b"restruck" => W::Role(Role::Reprinted),
        b"cast" => W::Role(Role::Cast),
        b"published" | b"issued" | b"publ" => W::Role(Role::Published),
        b"exhibited" => W::Role(Role::Exhibited),
        b"engraved" | b"etched" => W::Role(Role::Engraved),
        b"designed" | b"modeled" | b"modelled" | b"conceived" => W::Role(Role::Designed),
        b"manufactured" | b"produced" | b"fabricated" => W::Role(Role::Manufactured),
        b"reworked" | b"revised" | b"altered" | b"repainted" => W::Role(Role::Reworked),
        b"reconstructed" | b"reconstruction" | b"remade" | b"rebuilt" | b"reproduced" => {
            W::Role(Role::Reconstructed)
        }
        b"restored" | b"reassembled" | b"refabricated" | b"assembled" | b"cleaned" => {
            W::Role(Role::Restored)
        }
        b"version" | b"editioned" | b"exhibition" => W::Role(Role::Version),
        b"replica" | b"edition" => W::Role(Role::Replica),
        b"project" => W::Role(Role::Project),
        b"retouched" | b"annotated" => W::Role(Role::Restored),
        b"patented" => W::Role(Role::Patented),
        b"impression" | b"print" => W::Impression,
        b"present" => W::Present,
        b"undated" => W::Undated,
        b"with" => W::With,
        b"following" => W::Following,
        b"previous" | b"preceding" => W::Previous,
        b"coming" | b"upcoming" => W::Coming,
        b"rest" | b"remainder" | b"remaining" => W::Rest,
        b"couple" => W::Couple,
        b"few" | b"several" | b"some" => W::Few,
        b"within" => W::Within,
        b"hence" => W::Ahead,
        b"date" | b"dates" => W::Date,
        b"known" => W::Known,
        b"an" => W::An,
        b"posthumous" | b"posthumously" => W::Posthumous,
        b"born" => W::Born,
        b"died" => W::Died,
        b"q" => W::Q,
        b"h" => W::H,
        b"for" => W::For,
        b"eve" => W::Eve,
        b"vendemiaire" => W::Republican(1),
        b"brumaire" => W::Republican(2),
        b"frimaire" => W::Republican(3),
        b"nivose" => W::Republican(4),
        b"pluviose" => W::Republican(5),
        b"ventose" => W::Republican(6),
        b"germinal" => W::Republican(7),
        b"floreal" => W::Republican(8),
        b"prairial" => W::Republican(9),
        b"messidor" => W::Republican(10),
        b"thermidor" => W::Republican(11),
        b"fructidor" => W::Republican(12),
        _ => W::Other,
    }
}

/// The value of a roman numeral up to 3999 in capitals, when it is written as it should be.
pub(crate) fn roman(letters: &str) -> Option<u32> {
    let digit = |b: u8| match b {
        b'I' => Some(1),
        b'V' => Some(5),
        b'X' => Some(10),
        b'L' => Some(50),
        b'C' => Some(100),
        b'D' => Some(500),
        b'M' => Some(1000),
        _ => None,
    };
    if letters.is_empty() || letters.len() > 15 {
        return None;
    }
    let mut total = 0u32;
    let mut last = 0u32;
    for b in letters.bytes().rev() {
        let value = digit(b)?;
        if value < last {
            total = total.checked_sub(value)?;
        } else {
            total += value;
            last = value;
        }
    }
    (to_roman(total) == letters).then_some(total)
}

fn to_roman(mut n: u32) -> String {
    const STEPS: [(u32, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    let mut out = String::new();
    for (value, letters) in STEPS {
        while n >= value && out.len() < 20 {
            out.push_str(letters);
            n -= value;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;

    #[test]
    fn roman_numerals_are_read_only_in_their_proper_form() {
        assert_eq!(roman("MDCCLXIV"), Some(1764));
        assert_eq!(roman("XIX"), Some(19));
        assert_eq!(roman("IIII"), None);
        assert_eq!(roman("VX"), None);
        assert_eq!(roman("CIVIL"), None);
    }
}
