//! The Extended Date/Time Format (ISO 8601-2) in and out.

use super::calendar::{DayNumber, Year, month_length};
use super::error::{Error, Result};
use super::expression::{Candidate, Expression, Kind, Precision, Role};
use super::interval::{Bound, Interval};
use super::settings::{Hemisphere, Settings};
use edtf_core as lib;

/// Reads an EDTF string of level 0, 1 or 2 as an expression over the whole text.
///
/// `~` and `%` widen by the collection's circa width, so that "1850~" and "c. 1850" agree.
///
/// # Errors
///
/// When the text is not EDTF, names no year at all ("XXXX", "../.."), or lies beyond
/// [`Year::LIMIT`].
///
/// ```
/// use almanac::time::{parse_edtf, Settings};
/// let decade = parse_edtf("156X", &Settings::default()).unwrap();
/// assert_eq!(decade.candidates[0].interval.display(), "1560 to 1569");
/// ```
pub fn parse(text: &str, settings: &Settings) -> Result<Expression> {
    let trimmed = text.trim();
    let start = text.len() - text.trim_start().len();
    let fail = |why: &str| Error::new(format!("edtf \"{trimmed}\": {why}"));
    let (kind, candidates) = if let Some(found) = masked(trimmed, settings) {
        found
    } else {
        let parsed = lib::Edtf::parse(trimmed)
            .map_err(|_| fail("not a date, interval or set of EDTF level 0 to 2"))?;
        read(&parsed, settings).ok_or_else(|| fail("names no day that can be counted"))?
    };
    if candidates
        .iter()
        .all(|c| c.interval.first.day().is_none() && c.interval.last.day().is_none())
    {
        return Err(fail("leaves the year unspecified"));
    }
    let range = start..start + trimmed.len();
    Ok(Expression {
        utf16: range.clone(),
        range,
        candidates,
        kind,
        role: Role::Mentioned,
        arc: None,
    })
}

/// Whether a text has the shape of EDTF beyond a plain year, which other readers would miss.
pub(crate) fn is_marked(text: &str) -> bool {
    let text = text.trim();
    let bytes = text.as_bytes();
    let has = |c: u8| bytes.contains(&c);
    let plain = text
        .bytes()
        .all(|b| b.is_ascii_digit() || b"-/.~?%XYSE[]{},:TZ+".contains(&b));
    plain
        && text.bytes().any(|b| b.is_ascii_digit() || b == b'X')
        && (has(b'X')
            || has(b'Y')
            || has(b'~')
            || has(b'%')
            || has(b'[')
            || has(b'{')
            || has(b'-')
            || has(b'/')
            || has(b'S')
            || text.ends_with('?'))
}

/// A date, interval or set in which a negative year has unspecified digits, which the library does
/// not read; `None` for any other text.
fn masked(text: &str, settings: &Settings) -> Option<(Kind, Vec<Candidate>)> {
    if !text.contains('X') || !text.contains('-') {
        return None;
    }
    let set = [('[', ']', Kind::OneOf), ('{', '}', Kind::AllOf)]
        .into_iter()
        .find_map(|(open, close, kind)| {
            let members = text.strip_prefix(open)?.strip_suffix(close)?;
            Some((members, kind))
        });
    let mut any = false;
    let mut date = |text: &str| {
        let text = text.trim();
        if let Some(found) = masked_date(text, settings) {
            any = true;
            return Some(found);
        }
        match lib::Edtf::parse(text).ok()? {
            lib::Edtf::Date(date) => single(&date, settings),
            _ => None,
        }
    };
    let (kind, candidates) = if let Some((members, kind)) = set {
        let candidates = members
            .split(',')
            .map(|member| match member.split_once("..") {
                None => date(member),
                Some((a, b)) => {
                    let mut end = |text: &str| match text.trim() {
                        "" => Some(Err(Bound::Open)),
                        text => date(text).map(Ok),
                    };
                    joined(end(a)?, end(b)?)
                }
            })
            .collect::<Option<Vec<_>>>()?;
        match candidates.as_slice() {
            [only] => (Expression::kind_of(std::slice::from_ref(only)), candidates),
            _ => (kind, candidates),
        }
    } else {
        let one = match text.split_once('/') {
            None => date(text)?,
            Some((a, b)) => {
                let mut end = |text: &str| match text {
                    "" => Some(Err(Bound::Unknown)),
                    ".." => Some(Err(Bound::Open)),
                    text => date(text).map(Ok),
                };
                joined(end(a)?, end(b)?)?
            }
        };
        (Expression::kind_of(std::slice::from_ref(&one)), vec![one])
    };
    any.then_some((kind, candidates))
}

/// The stretch from one date or absent end to another; `None` when it is reversed.
fn joined(
    start: std::result::Result<Candidate, Bound>,
    end: std::result::Result<Candidate, Bound>,
) -> Option<Candidate> {
    let stretch = |of: fn(&Candidate) -> Interval| -> Option<Interval> {
        let first = start.as_ref().map_or_else(|bound| *bound, |c| of(c).first);
        let last = end.as_ref().map_or_else(|bound| *bound, |c| of(c).last);
        match (first.day(), last.day()) {
            (Some(a), Some(b)) if a > b => None,
            _ => Some(Interval { first, last }),
        }
    };
    let ends = || start.iter().chain(end.iter());
    Some(Candidate {
        interval: stretch(|c| c.interval)?,
        core: stretch(|c| c.core)?,
        precision: ends().map(|c| c.precision).max()?,
        approximate: ends().any(|c| c.approximate),
        uncertain: ends().any(|c| c.uncertain),
        label: None,
    })
}

/// One date in a negative year with unspecified digits: the years they may stand for, outward from
/// year 0, from the one with nines to the one with zeros.
fn masked_date(text: &str, settings: &Settings) -> Option<Candidate> {
    let (marks, unsigned) = text.split_once('-')?;
    let (year, rest) = unsigned.split_at_checked(4)?;
    let digits = year.bytes().filter(u8::is_ascii_digit).count();
    let masks = year.bytes().filter(|b| *b == b'X').count();
    if !marks.chars().all(|c| "~?%".contains(c)) || digits == 0 || masks == 0 || digits + masks != 4
    {
        return None;
    }
    let with = |digit: &str| -> Option<Candidate> {
        let year = year.replace('X', digit);
        let sign = if year == "0000" { "" } else { "-" };
        match lib::Edtf::parse(&format!("{marks}{sign}{year}{rest}")).ok()? {
            lib::Edtf::Date(date) => single(&date, settings),
            _ => None,
        }
    };
    let (low, high) = (with("9")?, with("0")?);
    let core = Interval::new(low.core.first.day()?, high.core.last.day()?)?;
    let precision = match low.precision {
        Precision::Year => grain_of_years(core),
        finer => finer,
    };
    Some(finish(
        core,
        precision,
        low.approximate,
        low.uncertain,
        settings,
    ))
}

/// The grain of a stretch of whole years by its length.
fn grain_of_years(interval: Interval) -> Precision {
    match interval.days() {
        Some(..=366) => Precision::Year,
        Some(367..=3_700) => Precision::Decade,
        Some(3_701..=37_000) => Precision::Century,
        _ => Precision::Millennium,
    }
}

fn day(date: lib::BoundDate) -> Option<DayNumber> {
    DayNumber::from_gregorian(Year(date.year), date.month, date.day)
}

fn bound(value: lib::Bound) -> Option<Bound> {
    Some(match value {
        lib::Bound::Date(date) => Bound::Day(day(date)?),
        lib::Bound::NegativeInfinity | lib::Bound::PositiveInfinity => Bound::Open,
        lib::Bound::Unknown => Bound::Unknown,
    })
}

fn whole_interval(value: &lib::Edtf) -> Option<Interval> {
    let bounds = value.bounds();
    Some(Interval {
        first: bound(bounds.earliest)?,
        last: bound(bounds.latest)?,
    })
}

/// The grain of one date, and its days; `XXXX` has none.
fn date(value: &lib::Date) -> Option<(Interval, Precision)> {
    let mut interval = whole_interval(&lib::Edtf::Date(*value))?;
    let precision = match value.precision() {
        lib::Precision::Day => Precision::Day,
        lib::Precision::Month => Precision::Month,
        lib::Precision::Season => Precision::Season,
        lib::Precision::Year => grain_of_years(interval),
    };
    if let lib::YearKind::Standard { digits, .. } = value.year.kind
        && digits.iter().all(Option::is_none)
    {
        interval = Interval {
            first: Bound::Unknown,
            last: Bound::Unknown,
        };
    }
    // Unspecified digits of a month or day leave the grain of what is specified.
    let precision = match (value.month, value.day) {
        (Some(month), _) if month.has_unspecified() => Precision::Year,
        (Some(_), Some(day)) if day.has_unspecified() => Precision::Month,
        _ => precision,
    };
    Some((interval, precision))
}

fn finish(
    core: Interval,
    precision: Precision,
    approximate: bool,
    uncertain: bool,
    settings: &Settings,
) -> Candidate {
    let mut candidate = Candidate::exact(core, precision);
    candidate.approximate = approximate;
    candidate.uncertain = uncertain;
    if approximate {
        let (before, after) = circa_width(core, precision, settings);
        candidate.interval = core.widened(before, after);
    } else if uncertain && precision <= Precision::Year {
        candidate.interval = core.widened(settings.uncertain, settings.uncertain);
    }
    candidate
}

/// The years of circa width before and after an interval.
pub(crate) fn circa_width(core: Interval, precision: Precision, settings: &Settings) -> (i64, i64) {
    let year_of =
        |bound: Bound, other: Bound| bound.day().or(other.day()).map_or(0, |day| day.year().0);
    match precision {
        Precision::Decade => settings.circa_decade,
        Precision::Century | Precision::Millennium => {
            (settings.circa_century, settings.circa_century)
        }
        _ => (
            settings.circa.at(year_of(core.first, core.last)),
            settings.circa.at(year_of(core.last, core.first)),
        ),
    }
}

fn single(value: &lib::Date, settings: &Settings) -> Option<Candidate> {
    let (core, precision) = date(value)?;
    Some(finish(
        core,
        precision,
        value.is_approximate(),
        value.is_uncertain(),
        settings,
    ))
}

fn endpoint(value: &lib::IntervalEndpoint) -> Option<(Option<lib::Date>, Bound)> {
    Some(match value {
        lib::IntervalEndpoint::Date(date)
        | lib::IntervalEndpoint::OnOrBefore(date)
        | lib::IntervalEndpoint::OnOrAfter(date) => (Some(*date), Bound::Open),
        lib::IntervalEndpoint::Open => (None, Bound::Open),
        lib::IntervalEndpoint::Unknown => (None, Bound::Unknown),
    })
}

fn read(value: &lib::Edtf, settings: &Settings) -> Option<(Kind, Vec<Candidate>)> {
    match value {
        lib::Edtf::Date(date) => Some((Kind::Interval, vec![single(date, settings)?])),
        lib::Edtf::DateTime(stamp) => Some((Kind::Interval, vec![single(&stamp.date, settings)?])),
        lib::Edtf::Interval(interval) => {
            let (start, none_start) = endpoint(&interval.start)?;
            let (end, none_end) = endpoint(&interval.end)?;
            let candidate = span(start, none_start, end, none_end, settings)?;
            let open = matches!(interval.start, lib::IntervalEndpoint::OnOrBefore(_))
                || matches!(interval.end, lib::IntervalEndpoint::OnOrAfter(_));
            let mut candidate = candidate;
            if matches!(interval.start, lib::IntervalEndpoint::OnOrBefore(_)) {
                candidate.core.first = Bound::Open;
                candidate.interval.first = Bound::Open;
            }
            if matches!(interval.end, lib::IntervalEndpoint::OnOrAfter(_)) {
                candidate.core.last = Bound::Open;
                candidate.interval.last = Bound::Open;
            }
            let kind = if open || candidate.interval.is_open() {
                Kind::Open
            } else {
                Kind::Interval
            };
            Some((kind, vec![candidate]))
        }
        lib::Edtf::Set(set) => {
            let mut candidates = Vec::with_capacity(set.elements.len());
            for element in &set.elements {
                candidates.push(match element {
                    lib::SetElement::Date(date) => single(date, settings)?,
                    lib::SetElement::Range(a, b) => {
                        span(Some(*a), Bound::Open, Some(*b), Bound::Open, settings)?
                    }
                    lib::SetElement::OnOrBefore(date) => {
                        span(None, Bound::Open, Some(*date), Bound::Open, settings)?
                    }
                    lib::SetElement::OnOrAfter(date) => {
                        span(Some(*date), Bound::Open, None, Bound::Open, settings)?
                    }
                });
            }
            let kind = match candidates.as_slice() {
                [only] if only.interval.is_open() => Kind::Open,
                [_] => Kind::Interval,
                _ if set.kind == lib::SetKind::OneMember => Kind::OneOf,
                _ => Kind::AllOf,
            };
            Some((kind, candidates))
        }
    }
}

/// An interval between two dates; an approximate end is widened in the coarser grain of both, as the
/// words are from which such an interval is written.
fn span(
    start: Option<lib::Date>,
    none_start: Bound,
    end: Option<lib::Date>,
    none_end: Bound,
    settings: &Settings,
) -> Option<Candidate> {
    let grain = |value: &Option<lib::Date>| value.as_ref().and_then(|v| Some(date(v)?.1));
    let precision = grain(&start).max(grain(&end)).unwrap_or(Precision::Year);
    let read = |value: &lib::Date| -> Option<Candidate> {
        let (core, own) = date(value)?;
        let (approximate, uncertain) = (value.is_approximate(), value.is_uncertain());
        let grain = if approximate { precision } else { own };
        Some(finish(core, grain, approximate, uncertain, settings))
    };
    let (first_core, first, a1, u1) = match &start {
        Some(value) => {
            let one = read(value)?;
            (
                one.core.first,
                one.interval.first,
                one.approximate,
                one.uncertain,
            )
        }
        None => (none_start, none_start, false, false),
    };
    let (last_core, last, a2, u2) = match &end {
        Some(value) => {
            let one = read(value)?;
            (
                one.core.last,
                one.interval.last,
                one.approximate,
                one.uncertain,
            )
        }
        None => (none_end, none_end, false, false),
    };
    if let (Bound::Day(a), Bound::Day(b)) = (first, last)
        && a > b
    {
        return None;
    }
    Some(Candidate {
        interval: Interval { first, last },
        core: Interval {
            first: first_core,
            last: last_core,
        },
        precision,
        approximate: a1 || a2,
        uncertain: u1 || u2,
        label: None,
    })
}

/// Writes a candidate as EDTF, in the coarsest form that means exactly its written days.
///
/// When circa widened one end only, only that end is marked.
pub(crate) fn write_candidate(candidate: &Candidate) -> String {
    let (core, precision) = (candidate.core, candidate.precision);
    let moved_first = core.first != candidate.interval.first;
    let moved_last = core.last != candidate.interval.last;
    let mark = |moved: bool| {
        let approximate = candidate.approximate && (moved || moved_first == moved_last);
        match (approximate, candidate.uncertain) {
            (true, true) => "%",
            (true, false) => "~",
            (false, true) => "?",
            (false, false) => "",
        }
    };
    let (m1, m2) = (mark(moved_first), mark(moved_last));
    match (core.first, core.last) {
        (Bound::Day(a), Bound::Day(b)) => match write_single(a, b, precision) {
            Some(text) if m1 == m2 => format!("{text}{m1}"),
            _ => {
                // Decades and centuries at both ends, or at none unless circa counts by them.
                let both = write_masked(a.year().0, precision, true).is_some()
                    && write_masked(b.year().0, precision, false).is_some();
                let grain = if both || candidate.approximate {
                    precision
                } else {
                    precision.min(Precision::Year)
                };
                format!("{}{m1}/{}{m2}", write_start(a, grain), write_end(b, grain))
            }
        },
        (first, last) => {
            let side = |bound: Bound, start: bool| match bound {
                Bound::Day(day) if start => format!("{}{m1}", write_start(day, precision)),
                Bound::Day(day) => format!("{}{m2}", write_end(day, precision)),
                Bound::Open => String::from(".."),
                Bound::Unknown => String::new(),
            };
            format!("{}/{}", side(first, true), side(last, false))
        }
    }
}

fn year_text(year: i64) -> String {
    if year.abs() > 9999 {
        format!("Y{year}")
    } else if year < 0 {
        format!("-{:04}", -year)
    } else {
        format!("{year:04}")
    }
}

/// One EDTF date for exactly these days, if there is one.
fn write_single(a: DayNumber, b: DayNumber, precision: Precision) -> Option<String> {
    let (y1, m1, d1) = a.to_gregorian();
    let (y2, m2, d2) = b.to_gregorian();
    let (y1, y2) = (y1.0, y2.0);
    let whole_years = (m1, d1) == (1, 1) && (m2, d2) == (12, 31);
    if whole_years && y1 == y2 {
        return Some(year_text(y1));
    }
    if whole_years && y1.abs() <= 9999 && y2.abs() <= 9999 {
        // Unspecified digits run outward from zero, so a negative span is read backward.
        let (low, high, sign) = if y1 >= 0 {
            (y1, y2, "")
        } else {
            (-y2, -y1, "-")
        };
        for (span, mask, keep) in [(10, "X", 3), (100, "XX", 2), (1000, "XXX", 1)] {
            if low >= 0 && low % span == 0 && high == low + span - 1 {
                let digits = format!("{low:04}");
                return Some(format!("{sign}{}{mask}", &digits[..keep]));
            }
        }
    }
    if y1.abs() > 9999 {
        return None;
    }
    if a == b {
        return Some(format!("{}-{m1:02}-{d1:02}", year_text(y1)));
    }
    if (y1, m1) == (y2, m2) && d1 == 1 && d2 == month_length(y2, m2) {
        return Some(format!("{}-{m1:02}", year_text(y1)));
    }
    if precision == Precision::Season && d1 == 1 && d2 == month_length(y2, m2) {
        let code = match (m1, m2, y2 - y1) {
            (3, 5, 0) => 21,
            (6, 8, 0) => 22,
            (9, 11, 0) => 23,
            (12, 2, 1) => 24,
            (1, 3, 0) => 33,
            (4, 6, 0) => 34,
            (7, 9, 0) => 35,
            (10, 12, 0) => 36,
            (1, 6, 0) => 40,
            (7, 12, 0) => 41,
            _ => return None,
        };
        return Some(format!("{}-{code}", year_text(y1)));
    }
    None
}

/// The start of an interval: the coarsest date whose first day it is, within the grain.
///
/// Beyond four digits EDTF has years only, so such a start is cut to its year.
fn write_start(day: DayNumber, precision: Precision) -> String {
    let (year, month, date) = day.to_gregorian();
    if (month, date) == (1, 1)
        && let Some(text) = write_masked(year.0, precision, true)
    {
        return text;
    }
    if year.0.abs() > 9999 || (month, date) == (1, 1) {
        year_text(year.0)
    } else if date == 1 {
        format!("{}-{month:02}", year_text(year.0))
    } else {
        format!("{}-{month:02}-{date:02}", year_text(year.0))
    }
}

/// The end of an interval: the coarsest date whose last day it is, within the grain.
fn write_end(day: DayNumber, precision: Precision) -> String {
    let (year, month, date) = day.to_gregorian();
    if (month, date) == (12, 31)
        && let Some(text) = write_masked(year.0, precision, false)
    {
        return text;
    }
    if year.0.abs() > 9999 || (month, date) == (12, 31) {
        year_text(year.0)
    } else if date == month_length(year.0, month) {
        format!("{}-{month:02}", year_text(year.0))
    } else {
        format!("{}-{month:02}-{date:02}", year_text(year.0))
    }
}

/// A decade or century that begins (or ends) with this year, when the grain is that coarse.
fn write_masked(year: i64, precision: Precision, start: bool) -> Option<String> {
    let (span, mask, keep) = match precision {
        Precision::Decade => (10, "X", 3),
        Precision::Century => (100, "XX", 2),
        Precision::Millennium => (1000, "XXX", 1),
        _ => return None,
    };
    // Unspecified digits run outward from zero, so before year 0 the ends change places, and year 0
    // ends the mask with a minus.
    let negative = year < 0 || (year == 0 && !start);
    let wanted = if start == negative { span - 1 } else { 0 };
    if year.abs() > 9999 || year.abs() % span != wanted {
        return None;
    }
    let digits = format!("{:04}", year.abs());
    let sign = if negative { "-" } else { "" };
    Some(format!("{sign}{}{mask}", digits.get(..keep)?))
}

/// The first and last month of a season, and whether it ends in the next year.
///
/// `season` is 0 = spring to 3 = winter.
pub(crate) fn season_months(season: u8, hemisphere: Hemisphere) -> (u8, u8, bool) {
    let shifted = match hemisphere {
        Hemisphere::North => season % 4,
        Hemisphere::South => (season + 2) % 4,
    };
    match shifted {
        0 => (3, 5, false),
        1 => (6, 8, false),
        2 => (9, 11, false),
        _ => (12, 2, true),
    }
}

/// Whether "1851-52" or "1910-30" is a range of years and not an EDTF month or season.
///
/// 01 to 12 are months and 21 to 24 the seasons of level 1; the rarer codes 25 to 41 give way to
/// a range when the second number is the greater one.
pub(crate) fn reads_as_range(text: &str) -> bool {
    let Some((year, part)) = text.trim().split_once('-') else {
        return false;
    };
    let (Ok(start), Ok(code)) = (year.parse::<u32>(), part.parse::<u32>()) else {
        return false;
    };
    year.len() == 4
        && part.len() == 2
        && !(1..=12).contains(&code)
        && !(21..=24).contains(&code)
        && code > start % 100
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;

    /// The text as it is written back, with its first and last day.
    fn read_and_written(text: &str) -> String {
        let found = parse(text, &Settings::default()).unwrap();
        let hull = found
            .candidates
            .iter()
            .map(|c| c.core)
            .reduce(Interval::hull)
            .unwrap();
        let day = |b: Bound| b.day().map_or(String::from(".."), |d| d.to_string());
        let written = found.edtf().unwrap();
        let back = parse(&written, &Settings::default()).unwrap();
        let cores = |e: &Expression| e.candidates.iter().map(|c| c.core).collect::<Vec<_>>();
        assert_eq!(cores(&back), cores(&found), "{text} is written {written}");
        format!("{written} {} {}", day(hull.first), day(hull.last))
    }

    #[test]
    fn negative_years_with_unspecified_digits_are_read_at_every_level() {
        for (text, expected) in [
            ("-1XXX", "-1XXX -1999-01-01 -1000-12-31"),
            ("-01XX", "-01XX -0199-01-01 -0100-12-31"),
            ("-019X", "-019X -0199-01-01 -0190-12-31"),
            ("-00XX", "-00XX -0099-01-01 0000-12-31"),
            ("-01XX~", "-01XX~ -0199-01-01 -0100-12-31"),
            ("~-01XX", "-01XX~ -0199-01-01 -0100-12-31"),
            ("-01XX/0050", "-0199/0050 -0199-01-01 0050-12-31"),
            ("-02XX/-01XX", "-02XX/-01XX -0299-01-01 -0100-12-31"),
            ("-01XX/..", "-01XX/.. -0199-01-01 .."),
            ("../-01XX", "../-01XX .. -0100-12-31"),
            ("-01XX/", "-01XX/ -0199-01-01 .."),
            ("/-01XX", "/-01XX .. -0100-12-31"),
            ("-01XX-12", "-0199-12/-0100 -0199-12-01 -0100-12-31"),
            ("-1X5X", "-1959/-1050 -1959-01-01 -1050-12-31"),
            ("[-02XX,-01XX]", "[-02XX,-01XX] -0299-01-01 -0100-12-31"),
            ("{-02XX, -0050}", "{-02XX,-0050} -0299-01-01 -0050-12-31"),
            (
                "[-02XX..-01XX,0050]",
                "[-02XX..-01XX,0050] -0299-01-01 0050-12-31",
            ),
            ("[..-01XX]", "../-01XX .. -0100-12-31"),
        ] {
            assert_eq!(read_and_written(text), expected, "{text}");
        }
    }

    #[test]
    fn approximate_ends_of_different_grain_are_widened_alike() {
        // The first century has no mask of its own, since it begins with year 1.
        let settings = Settings::default();
        for text in [
            "c. first century",
            "before c. first century",
            "after c. 1945 and before 1957",
            "since c. 1850 and before the 20th century",
        ] {
            let field = crate::time::whole(text, &settings).unwrap();
            let written = &field.dating.candidates[0];
            assert!(written.interval != written.core, "{text}");
            let read = parse(&written.edtf(), &settings).unwrap();
            assert_eq!(read.candidates[0].core, written.core, "{text}");
            assert_eq!(read.candidates[0].interval, written.interval, "{text}");
        }
    }

    #[test]
    fn a_period_that_cuts_off_what_circa_added_leaves_an_exact_date() {
        let settings = Settings::default();
        let field = crate::time::whole("Tang dynasty, c. Tang dynasty", &settings).unwrap();
        assert_eq!(field.dating.candidates[0].edtf(), "0618/0907");
    }

    #[test]
    fn masks_that_name_no_year_or_run_backward_are_refused() {
        for text in [
            "-XXXX",
            "-01XX/-02XX",
            "-1XX",
            "-01XX-13",
            "[-01XX",
            "-01XX//",
        ] {
            assert!(parse(text, &Settings::default()).is_err(), "{text}");
        }
    }
}
