//! What the numbers of a training text count, found by search.
//!
//! Templates do not say which of their numbers is the year. For each end of what a text means, the
//! roles are found that reach it with the least shift, among those that the form of the expression
//! allows; where none does, nothing is taught.

use almanac::encoder::temporal::reading::Token;
use almanac::encoder::temporal::readout::{
    BEFORE_ROLE, COMPLETED_ROLE, DAY_ROLE, MEMBERS, MONTH_ROLE, ROLES, UNITS, YEAR, base_years,
    bases, calendar_offset, worth,
};
use almanac::time::DayNumber;

use super::super::tuple::{Anchored, Meant};

/// What is taught of one text; `None` where nothing is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Lesson {
    /// The role of each token that counts.
    pub(super) roles: Vec<Option<usize>>,
    /// Which ends it belongs to.
    pub(super) members: Vec<Option<usize>>,
    /// The base, shift in lengths and logarithm of the length of each end.
    pub(super) ends: [Option<Taught>; 2],
    /// Whether dates are in the calendar in use and not in the Gregorian one.
    pub(super) in_use: Option<bool>,
    /// Whether there are two times of their own.
    pub(super) apart: Option<bool>,
}

/// What is taught of one end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Taught {
    pub(super) base: usize,
    pub(super) shift: f64,
    pub(super) log_length: f64,
}

/// Numbers that are tried together at most.
const MOST: usize = 7;
/// The largest shift that is taught, in lengths.
const SHIFT: f64 = 14.0;

/// Finds what to teach of a text.
pub(super) fn lesson(text: &Anchored, tokens: &[Token]) -> Lesson {
    let anchor = DayNumber(text.anchor);
    let mut lesson = Lesson {
        roles: vec![None; tokens.len()],
        members: vec![None; tokens.len()],
        ..Lesson::default()
    };
    let counting: Vec<usize> = (0..tokens.len())
        .filter(|at| tokens[*at].counts())
        .collect();
    match text.meant.as_slice() {
        [] => {
            for at in counting {
                lesson.roles[at] = Some(0);
            }
            let log_length = text.length.ln();
            let shift = (text.mean - bases(anchor)[0]) / text.length;
            lesson.ends = [Some(Taught {
                base: 0,
                shift,
                log_length,
            }); 2];
        }
        [one] => {
            for at in &counting {
                lesson.roles[*at] = Some(0);
            }
            let counting = within(&counting, tokens, one);
            lesson.apart = (one.ends[0] != one.ends[1]).then_some(false);
            let both = one.ends[0] == one.ends[1];
            let found: Vec<Option<Found>> = one
                .ends
                .iter()
                .take(if both { 1 } else { 2 })
                .map(|end| find(*end, one, tokens, &counting, anchor))
                .collect();
            if both {
                if let Some(Some(found)) = found.first() {
                    lesson.take(found, MEMBERS - 1, &counting);
                    lesson.ends = [Some(found.taught); 2];
                }
            } else if let [Some(a), Some(b)] = found.as_slice() {
                lesson.range(a, b, &counting);
            }
        }
        [a, b, ..] => {
            lesson.apart = Some(true);
            for at in &counting {
                lesson.roles[*at] = Some(0);
            }
            for (place, meant) in [a, b].into_iter().enumerate() {
                let own = within(&counting, tokens, meant);
                if meant.ends[0] != meant.ends[1] {
                    // The middle of two ends is no sum of their numbers.
                    own.iter().for_each(|at| lesson.roles[*at] = None);
                }
                if meant.ends[0] == meant.ends[1]
                    && let Some(found) = find(meant.ends[0], meant, tokens, &own, anchor)
                {
                    lesson.take(&found, place, &own);
                    lesson.ends[place] = Some(found.taught);
                }
            }
        }
    }
    lesson
}

/// The counting tokens inside an expression.
fn within(counting: &[usize], tokens: &[Token], meant: &Meant) -> Vec<usize> {
    let inside = |at: &usize| (meant.from..meant.to).contains(&tokens[*at].start);
    counting.iter().copied().filter(inside).collect()
}

impl Lesson {
    fn take(&mut self, found: &Found, member: usize, counting: &[usize]) {
        for (at, role) in counting.iter().zip(&found.roles) {
            self.roles[*at] = Some(*role);
            if *role != 0 {
                self.members[*at] = Some(member);
            }
        }
        self.in_use = self.in_use.or(found.in_use);
    }

    /// Two ends with roles in common; nothing is taught where they contradict.
    fn range(&mut self, a: &Found, b: &Found, counting: &[usize]) {
        let both = || a.roles.iter().zip(&b.roles);
        if both().any(|(x, y)| *x != 0 && *y != 0 && x != y) {
            counting.iter().for_each(|at| self.roles[*at] = None);
            return;
        }
        for (at, (x, y)) in counting.iter().zip(both()) {
            self.roles[*at] = Some(*x.max(y));
            self.members[*at] = match (*x != 0, *y != 0) {
                (true, true) => Some(2),
                (true, false) => Some(0),
                (false, true) => Some(1),
                (false, false) => None,
            };
        }
        self.ends = [Some(a.taught), Some(b.taught)];
        self.in_use = a.in_use.or(b.in_use);
    }
}

struct Found {
    /// For each counting token.
    roles: Vec<usize>,
    taught: Taught,
    in_use: Option<bool>,
}

/// The roles and the bases that a form allows.
fn allowed(form: &str) -> (&'static [usize], &'static [usize]) {
    match form {
        "day-relative" => (&[12, 13, 14, 15], &[1]),
        "month-relative" => (&[16, 17], &[2]),
        "year-relative" | "span-relative" => (&[1, 2], &[3]),
        "date-relative" => (&[MONTH_ROLE, DAY_ROLE, 1, 2], &[3, 6, 7]),
        "decade-relative" => (&[3, 4], &[4]),
        "century-relative" => (&[5, 6], &[5]),
        "day" | "days" => (&[1, BEFORE_ROLE, MONTH_ROLE, DAY_ROLE], &[0]),
        "month" => (&[1, BEFORE_ROLE, MONTH_ROLE], &[0]),
        "era" => (&[1, MONTH_ROLE], &[0]),
        "decade" | "decade-part" => (&[1, BEFORE_ROLE, 5], &[0]),
        "century" | "century-part" | "century-half" | "century-quarter" => (&[5, 6, 1], &[0]),
        "millennium" => (&[7, 8], &[0]),
        "year-in-words" => (&[1, 5], &[0]),
        "year-counted" => (&[1, 2], &[0]),
        _ => (&[1, BEFORE_ROLE, COMPLETED_ROLE], &[0]),
    }
}

/// How many of its numbers can be years together.
fn most_years(form: &str) -> usize {
    match form {
        "duration" | "year-counted" | "year-in-words" | "decade" | "era" => 3,
        _ => 1,
    }
}

fn find(
    (mean, length): (f64, f64),
    meant: &Meant,
    tokens: &[Token],
    counting: &[usize],
    anchor: DayNumber,
) -> Option<Found> {
    if counting.len() > MOST {
        return None;
    }
    let (allowed, from) = allowed(&meant.form);
    let (starts, base_years) = (bases(anchor), base_years(anchor));
    let mut best: Option<(f64, Found)> = None;
    let mut roles = vec![0; counting.len()];
    search(0, tokens, counting, allowed, &mut roles, &mut |roles| {
        let (mut years, mut months, mut days) = (0.0, 0.0, 0.0);
        let (mut unused, mut in_years, mut largest) = (0, 0, 0.0f64);
        for (at, role) in counting.iter().zip(roles) {
            let worth = f64::from(worth(&tokens[*at])[*role]) * UNITS[*role];
            match *role {
                0 => unused += 1,
                1..MONTH_ROLE => {
                    years += worth;
                    in_years += 1;
                    let unit = UNITS[*role];
                    if unit.abs() > largest.abs() {
                        largest = unit;
                    }
                }
                MONTH_ROLE => months += worth,
                _ => days += worth,
            }
        }
        if in_years > most_years(&meant.form) {
            return;
        }
        for base in from {
            let plain = starts[*base] + years * YEAR + months + days;
            let offsets =
                base_years[*base].map_or((0.0, 0.0), |year| calendar_offset(years + year, months));
            let differ = (offsets.0 - offsets.1).abs() > 0.5;
            for (in_use, offset) in [(false, offsets.0), (true, offsets.1)] {
                if in_use && !differ {
                    continue;
                }
                let shift = (mean - plain - offset) / length;
                let years_off = (mean - plain - offset) / YEAR;
                let cost = 0.3 * f64::from(unused)
                    + match (meant.form.as_str(), largest) {
                        // The nth century or millennium ends where n of them have passed, and before
                        // the common era begins there.
                        (form, 100.0 | -100.0 | 1_000.0 | -1_000.0)
                            if form.starts_with("century") || form == "millennium" =>
                        {
                            (years_off / largest + 0.5).abs()
                        }
                        // "The fifties of the nineteenth century" lie a hundred years before 1950.
                        ("decade", 100.0) => (shift - 0.5).abs().min((shift + 9.5).abs()),
                        _ => (shift - 0.5).abs(),
                    };
                if shift.abs() < SHIFT && best.as_ref().is_none_or(|(least, _)| cost < *least) {
                    let taught = Taught {
                        base: *base,
                        shift,
                        log_length: length.ln(),
                    };
                    let found = Found {
                        roles: roles.to_vec(),
                        taught,
                        // A longer time than a day says nothing of the calendar.
                        in_use: (differ && length < 2.0).then_some(in_use),
                    };
                    best = Some((cost, found));
                }
            }
        }
    });
    best.map(|(_, found)| found)
}

/// Tries all roles of the numbers, with one month and one count of days at most.
fn search(
    place: usize,
    tokens: &[Token],
    counting: &[usize],
    allowed: &[usize],
    roles: &mut Vec<usize>,
    done: &mut dyn FnMut(&[usize]),
) {
    let Some(at) = counting.get(place) else {
        done(roles);
        return;
    };
    let token = &tokens[*at];
    let named = token.number == 0.0;
    let used = |from: usize, to: usize, roles: &[usize]| {
        roles[..place].iter().any(|r| (from..to).contains(r))
    };
    for role in std::iter::once(0).chain(allowed.iter().copied()) {
        let possible = match role {
            0 => true,
            MONTH_ROLE => {
                (named || (1.0..=12.0).contains(&token.number))
                    && !used(MONTH_ROLE, DAY_ROLE, roles)
            }
            _ if named => false,
            COMPLETED_ROLE => token.completed > 0.0,
            DAY_ROLE.. => {
                let most = if role == DAY_ROLE { 31.0 } else { 60.0 };
                token.number <= most && !used(DAY_ROLE, ROLES, roles)
            }
            5 | 6 => token.number <= 31.0,
            7 | 8 => token.number <= 6.0,
            _ => true,
        };
        if possible {
            roles[place] = role;
            search(place + 1, tokens, counting, allowed, roles, done);
            roles[place] = 0;
        }
    }
}
