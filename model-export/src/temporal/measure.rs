//! What a branch, or any reader of dates, is worth on held-out sentences.

use std::collections::BTreeMap;

use almanac::Result;
use almanac::encoder::Model;
use almanac::encoder::temporal::TemporalBranch;
use almanac::search::time::{Gaussian, bounded};
use almanac::time::DayNumber;

use super::Chance;
use super::loss::spearman;
use super::tuple::{Anchored, Group, Relation};

/// Rank correlations with the closed form on held-out sentences.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Over all pairs of a query and a text beside it.
    pub spearman: f64,
    /// Over such pairs without the hard negatives.
    pub plain: f64,
    /// Over pairs with a positive or a hard negative only.
    pub hard: f64,
    /// Over pairs whose query counts from its anchor.
    pub relative: f64,
    /// Over the same, with the anchors of all texts shuffled.
    pub relative_shuffled: f64,
    /// Share of queries whose positive scores above every other text.
    pub positive_first: f64,
    /// Over all pairs of templates of the training data with other dates; 0 where not measured.
    pub known: f64,
    /// Over all pairs with a real sentence left out of the training data as the query; 0 where not
    /// measured.
    pub real: f64,
    /// Pairs measured.
    pub pairs: usize,
    /// For each form of the query, the correlation and the pairs.
    pub forms: BTreeMap<String, (f64, usize)>,
}

impl Figures {
    /// Gives the figures by name, for a card.
    pub fn named(&self) -> BTreeMap<String, f64> {
        let mut out = BTreeMap::from([
            ("held-out spearman".to_owned(), self.spearman),
            (
                "held-out spearman without hard negatives".to_owned(),
                self.plain,
            ),
            ("held-out spearman, hard negatives".to_owned(), self.hard),
            (
                "held-out spearman, relative queries".to_owned(),
                self.relative,
            ),
            (
                "held-out spearman, relative queries, anchors shuffled".to_owned(),
                self.relative_shuffled,
            ),
            ("held-out positive first".to_owned(), self.positive_first),
            ("held-out pairs".to_owned(), self.pairs as f64),
            (
                "spearman, templates of the training data".to_owned(),
                self.known,
            ),
            ("held-out spearman, real sentences".to_owned(), self.real),
        ]);
        for (form, (value, _)) in &self.forms {
            out.insert(format!("held-out spearman, {form}"), *value);
        }
        out
    }
}

/// Measures a branch on held-out groups.
///
/// # Errors
/// Those of [`TemporalBranch::gaussian`].
pub fn measure(branch: &TemporalBranch, groups: &[Group], encoder: &Model) -> Result<Figures> {
    let read = |text: &Anchored| {
        branch.gaussian(
            encoder.network(),
            encoder.tokenizer(),
            &text.text,
            DayNumber(text.anchor),
        )
    };
    measure_with(groups, &read)
}

/// Measures any reader of texts on held-out groups.
///
/// # Errors
/// Those of the reader.
pub fn measure_with(
    groups: &[Group],
    read: &dyn Fn(&Anchored) -> Result<Gaussian>,
) -> Result<Figures> {
    let texts: Vec<&Anchored> = groups
        .iter()
        .flat_map(|g| std::iter::once(&g.query).chain(g.others.iter().map(|o| &o.text)))
        .collect();
    let times: Vec<Gaussian> = texts.iter().map(|t| read(t)).collect::<Result<_>>()?;
    let mut chance = Chance::new(1);
    let moved: Vec<Gaussian> = texts
        .iter()
        .map(|t| {
            read(&Anchored {
                anchor: texts[chance.below(texts.len())].anchor,
                ..(*t).clone()
            })
        })
        .collect::<Result<_>>()?;
    let mut rows: Vec<Row> = Vec::new();
    let (mut first, mut asked, mut at) = (0, 0, 0);
    for group in groups {
        let query = at;
        at += 1;
        let mut best = (f64::NEG_INFINITY, Relation::Random);
        for other in &group.others {
            let got = bounded(times[query].divergence(times[at]));
            rows.push(Row {
                form: &group.query.form,
                relation: other.relation,
                label: other.label,
                got,
                moved: bounded(moved[query].divergence(moved[at])),
            });
            if got > best.0 {
                best = (got, other.relation);
            }
            at += 1;
        }
        if group
            .others
            .iter()
            .any(|o| o.relation == Relation::Positive)
        {
            asked += 1;
            first += usize::from(best.1 == Relation::Positive);
        }
    }
    let over = |keep: &dyn Fn(&Row) -> bool, value: &dyn Fn(&Row) -> f64| {
        let kept: Vec<&Row> = rows.iter().filter(|r| keep(r)).collect();
        let labels: Vec<f64> = kept.iter().map(|r| r.label).collect();
        let values: Vec<f64> = kept.iter().map(|r| value(r)).collect();
        (spearman(&values, &labels), kept.len())
    };
    let plain = |r: &Row| {
        matches!(
            r.relation,
            Relation::Positive | Relation::Random | Relation::Undated
        )
    };
    let hard = |r: &Row| {
        !matches!(
            r.relation,
            Relation::Random | Relation::Undated | Relation::Several
        )
    };
    let relative = |r: &Row| r.form.ends_with("-relative");
    let mut forms = BTreeMap::new();
    for row in &rows {
        if !forms.contains_key(row.form) {
            let form = over(&|r| r.form == row.form, &|r| r.got);
            forms.insert(row.form.to_owned(), form);
        }
    }
    Ok(Figures {
        spearman: over(&|_| true, &|r| r.got).0,
        plain: over(&plain, &|r| r.got).0,
        hard: over(&hard, &|r| r.got).0,
        relative: over(&relative, &|r| r.got).0,
        relative_shuffled: over(&relative, &|r| r.moved).0,
        positive_first: f64::from(first as u32) / f64::from((asked as u32).max(1)),
        known: 0.0,
        real: 0.0,
        pairs: rows.len(),
        forms,
    })
}

struct Row<'a> {
    form: &'a str,
    relation: Relation,
    label: f64,
    got: f64,
    moved: f64,
}
