//! What the data hold, as a picture: when, how long, and said in which form.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use almanac::time::DayNumber;

use super::tuple::{Anchored, Group};

/// Width of a panel and height of its bars, in pixels.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 120.0;
/// Height of a row of the list of forms.
const ROW: f64 = 14.0;

/// Counts of texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distribution {
    /// By astronomical century of the middle: 18 for 1800 to 1899.
    centuries: BTreeMap<i64, usize>,
    /// By twice the logarithm to base 10 of the length in days.
    lengths: BTreeMap<i64, usize>,
    /// By form of the expression.
    forms: BTreeMap<String, usize>,
}

impl Distribution {
    /// Counts the texts of a group.
    pub fn count(&mut self, group: &Group) {
        for text in group.others.iter().map(|o| &o.text).chain([&group.query]) {
            self.add(text);
        }
    }

    fn add(&mut self, text: &Anchored) {
        *self.forms.entry(text.form.clone()).or_default() += 1;
        if text.form == "undated" {
            return;
        }
        let century = DayNumber(text.mean as i64).year().0.div_euclid(100);
        *self.centuries.entry(century).or_default() += 1;
        let length = (2.0 * text.length.log10()).floor() as i64;
        *self.lengths.entry(length).or_default() += 1;
    }

    /// Draws all three.
    ///
    /// ```
    /// use almanac_model::temporal::plot::Distribution;
    /// use almanac_model::temporal::{groups, voice::Split};
    ///
    /// let mut all = Distribution::default();
    /// groups(Split::Train, 20, 1).iter().for_each(|group| all.count(group));
    /// assert!(all.svg().starts_with("<svg"));
    /// ```
    #[must_use]
    pub fn svg(&self) -> String {
        let height = 2.0 * (HEIGHT + 60.0) + 30.0 + ROW * self.forms.len() as f64;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
             font-family=\"sans-serif\" font-size=\"10\" role=\"img\">\n\
             <title>Texts by century, length and form</title>\n"
        );
        let century = |c: i64| (c % 5 == 0).then(|| (c * 100).to_string());
        bars(
            &mut out,
            0.0,
            "texts by century of the middle",
            &self.centuries,
            &century,
        );
        let length = |half: i64| match half {
            0 => Some("1 day".to_owned()),
            2 => Some("10 days".to_owned()),
            5 => Some("1 year".to_owned()),
            7 => Some("10 years".to_owned()),
            9 => Some("100 years".to_owned()),
            11 => Some("1,000 years".to_owned()),
            _ => None,
        };
        bars(
            &mut out,
            HEIGHT + 60.0,
            "texts by length",
            &self.lengths,
            &length,
        );
        let top = 2.0 * (HEIGHT + 60.0);
        let most = self.forms.values().copied().max().unwrap_or(1).max(1) as f64;
        let mut forms: Vec<_> = self.forms.iter().collect();
        forms.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
        for (at, (form, count)) in forms.into_iter().enumerate() {
            let y = top + 20.0 + ROW * at as f64;
            let width = *count as f64 / most * (WIDTH - 200.0);
            // Writing to a string does not fail.
            let _ = writeln!(
                out,
                "<text x=\"110\" y=\"{:.0}\" text-anchor=\"end\">{form}</text>\
                 <rect x=\"116\" y=\"{:.0}\" width=\"{width:.1}\" height=\"{:.0}\" fill=\"#1f4e79\"/>\
                 <text x=\"{:.1}\" y=\"{:.0}\">{count}</text>",
                y,
                y - ROW + 5.0,
                ROW - 4.0,
                120.0 + width,
                y
            );
        }
        out.push_str("</svg>\n");
        out
    }
}

/// Draws counts as bars from a height on.
fn bars(
    out: &mut String,
    top: f64,
    title: &str,
    counts: &BTreeMap<i64, usize>,
    name: &dyn Fn(i64) -> Option<String>,
) {
    let (Some((first, _)), Some((last, _))) = (counts.first_key_value(), counts.last_key_value())
    else {
        return;
    };
    let most = counts.values().copied().max().unwrap_or(1).max(1) as f64;
    let step = (WIDTH - 20.0) / (last - first + 1) as f64;
    let base = top + 24.0 + HEIGHT;
    let _ = writeln!(out, "<text x=\"10\" y=\"{:.0}\">{title}</text>", top + 14.0);
    for (at, count) in counts {
        let x = 10.0 + (at - first) as f64 * step;
        let height = *count as f64 / most * HEIGHT;
        let _ = writeln!(
            out,
            "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\" fill=\"#1f4e79\"/>",
            base - height,
            (step - 1.0).max(0.5)
        );
        if let Some(name) = name(*at) {
            let _ = writeln!(
                out,
                "<text x=\"{x:.1}\" y=\"{:.0}\">{name}</text>",
                base + 12.0
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::temporal::groups;
    use crate::temporal::voice::Split;

    #[test]
    fn every_text_is_counted_once() {
        let mut all = Distribution::default();
        let groups = groups(Split::Train, 200, 3);
        groups.iter().for_each(|group| all.count(group));
        let texts: usize = groups.iter().map(|g| 1 + g.others.len()).sum();
        assert_eq!(all.forms.values().sum::<usize>(), texts);
        let undated = all.forms.get("undated").copied().unwrap_or(0);
        assert_eq!(all.centuries.values().sum::<usize>(), texts - undated);
        assert!(all.svg().matches("<rect").count() > 60);
    }
}
