//! What a branch is worth on held-out sentences.

use std::collections::BTreeMap;

use almanac::encoder::{Latent, LatentScore, TemporalBranch};
use almanac::{Error, ErrorKind, Result};
use burn::tensor::Device;

use super::super::Chance;
use super::super::loss::spearman;
use super::super::states::TokenCache;
use super::super::tuple::{Anchored, Group, Relation};
use super::batch::tensors;

/// Texts of one batch.
const BATCH: usize = 128;

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
        ]);
        for (form, (value, _)) in &self.forms {
            out.insert(format!("held-out spearman, {form}"), *value);
        }
        out
    }
}

/// Measures a branch on held-out groups.
pub(super) fn measure(
    branch: &TemporalBranch,
    groups: &[Group],
    cache: &TokenCache,
) -> Result<Figures> {
    let texts: Vec<&Anchored> = groups
        .iter()
        .flat_map(|g| std::iter::once(&g.query).chain(g.others.iter().map(|o| &o.text)))
        .collect();
    let latents = latents(branch, &texts, cache)?;
    let shuffled: Vec<Anchored> = {
        let mut chance = Chance::new(1);
        let anchor = |chance: &mut Chance| texts[chance.below(texts.len())].anchor;
        texts
            .iter()
            .map(|t| Anchored {
                anchor: anchor(&mut chance),
                ..(*t).clone()
            })
            .collect()
    };
    let moved = latents_of(branch, &shuffled, cache)?;
    let mut rows: Vec<Row> = Vec::new();
    let (mut first, mut asked, mut at) = (0, 0, 0);
    for group in groups {
        let query = at;
        at += 1;
        let mut best = (f64::NEG_INFINITY, Relation::Random);
        for other in &group.others {
            let got = LatentScore::Temps.similarity(&latents[query], &latents[at]);
            rows.push(Row {
                form: &group.query.form,
                relation: other.relation,
                label: other.label,
                got,
                moved: LatentScore::Temps.similarity(&moved[query], &moved[at]),
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

fn latents_of(
    branch: &TemporalBranch,
    texts: &[Anchored],
    cache: &TokenCache,
) -> Result<Vec<Latent>> {
    latents(branch, &texts.iter().collect::<Vec<_>>(), cache)
}

/// Gives the latent Gaussians of texts, in their order.
fn latents(
    branch: &TemporalBranch,
    texts: &[&Anchored],
    cache: &TokenCache,
) -> Result<Vec<Latent>> {
    let device = Device::flex();
    let mut out = Vec::with_capacity(texts.len());
    for batch in texts.chunks(BATCH) {
        let (states, mask, anchors) = tensors(batch, cache, &device)?;
        let latent = branch.forward(states, Some(mask), anchors);
        let numbers = |t: burn::tensor::Tensor<2>| {
            t.into_data()
                .try_to_vec::<f32>()
                .map_err(|e| Error::new(ErrorKind::Internal, format!("{e:?}")))
        };
        let (means, logs) = (numbers(latent.mean)?, numbers(latent.log_variance)?);
        let width = means.len() / batch.len().max(1);
        let rows = means.chunks_exact(width).zip(logs.chunks_exact(width));
        out.extend(rows.map(|(mean, log_variance)| Latent {
            mean: mean.to_vec(),
            log_variance: log_variance.to_vec(),
        }));
    }
    Ok(out)
}
