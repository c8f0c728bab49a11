//! The temporal branch: from an encoder's token states and an anchor date to a Gaussian in a latent
//! space, whose divergences follow those of the intervals that texts mean.
//!
//! The encoder stays as it is; its token states are pooled once more, by attention, and a small
//! network reads time from them. Relative words need the day they count from: it enters as an
//! encoding without repetition, and a gate read from the text says how far it counts.
//!
//! Source: TEMPS (Hassani, Romero, Bouzeghoub and Jacquelinet), section 5.2 and appendix B; several
//! attention heads, the gate and the encoding of the anchor are our own.

use burn::module::{Module, Param};
use burn::nn::{LayerNorm, LayerNormConfig, Linear, LinearConfig};
use burn::tensor::activation::{relu, sigmoid, softmax, softplus, tanh};
use burn::tensor::{Device, Tensor, TensorData};
use serde::{Deserialize, Serialize};

use super::bert::vector;
use super::card::WeightEncoding;
use super::record::{RecordReader, RecordWriter, ScaleAxis};
use crate::index::FileRef;
use crate::time::{DayNumber, Year};
use crate::{Error, ErrorKind, Result};

/// The value of [`BranchCard::format`].
pub const BRANCH_FORMAT: &str = "almanac-temporal-branch";
/// The newest version of the card that this library reads and the one it writes.
pub const BRANCH_VERSION: u32 = 1;
/// The lowest logarithm of a latent variance.
///
/// Source: a choice; with means of a few units it lets two days five millennia apart differ as
/// much as their intervals do.
pub const LOG_VARIANCE_FLOOR: f64 = -20.0;
/// Numbers that encode an anchor date.
pub const ANCHOR_WIDTH: usize = 2 * WAVES + 1;

/// Wavelengths of the encoding of an anchor date.
const WAVES: usize = 20;
/// The longest wavelength, in days: 20,000 mean years, so that no two days of five millennia share
/// its phase.
const LONGEST_WAVE: f64 = 20_000.0 * 365.2425;
/// The shortest wavelength, in days.
const SHORTEST_WAVE: f64 = 30.0;
/// The year in the middle of what is encoded, and the years on each side.
const MIDDLE_YEAR: i64 = -450;
const HALF_YEARS: f64 = 2_600.0;

/// Encodes a day: its distance from the middle of the range, then sine and cosine of twenty
/// wavelengths from 20,000 years down to 30 days.
///
/// ```
/// use almanac::encoder::{ANCHOR_WIDTH, encode_anchor};
/// use almanac::time::DayNumber;
///
/// let numbers = encode_anchor(DayNumber(738_000));
/// assert_eq!(numbers.len(), ANCHOR_WIDTH);
/// assert!(numbers.iter().all(|n| n.abs() <= 2.0));
/// ```
///
/// Source: the sinusoidal encoding of arXiv 1706.03762 section 3.5, with wavelengths chosen for
/// years −3000 to 2100.
#[must_use]
pub fn encode_anchor(day: DayNumber) -> Vec<f32> {
    let from_middle = (day.0 - Year(MIDDLE_YEAR).first_day().0) as f64;
    let mut out = Vec::with_capacity(ANCHOR_WIDTH);
    out.push((from_middle / (HALF_YEARS * 365.2425)) as f32);
    for wave in 0..WAVES {
        let angle = from_middle * std::f64::consts::TAU / wavelength(wave);
        out.push(angle.sin() as f32);
        out.push(angle.cos() as f32);
    }
    out
}

/// Wavelengths fall by the same factor, in days.
fn wavelength(wave: usize) -> f64 {
    let share = wave as f64 / (WAVES - 1) as f64;
    LONGEST_WAVE * (SHORTEST_WAVE / LONGEST_WAVE).powf(share)
}

/// The shape of a temporal branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BranchShape {
    /// Width of a token state.
    pub hidden: usize,
    /// Width inside the attention that pools.
    pub attention: usize,
    /// Ways to pool, whose results stand side by side.
    pub heads: usize,
    /// Width of the network.
    pub width: usize,
    /// Dimensions of the latent Gaussian.
    pub dimensions: usize,
}

impl BranchShape {
    /// The shape for an encoder with token states of `hidden` numbers.
    #[must_use]
    pub fn for_hidden(hidden: usize) -> Self {
        Self {
            hidden,
            attention: 96,
            heads: 4,
            width: 320,
            dimensions: 64,
        }
    }
}

/// The branch as a Burn module.
#[derive(Module, Debug)]
pub struct TemporalBranch {
    score_in: Linear,
    score_out: Linear,
    gate: Linear,
    inner: Linear,
    inner_norm: LayerNorm,
    second: Linear,
    second_norm: LayerNorm,
    mean: Linear,
    log_variance: Linear,
}

/// Latent Gaussians of a batch.
#[derive(Clone, Debug)]
pub struct LatentBatch {
    /// `[batch, dimensions]`
    pub mean: Tensor<2>,
    /// `[batch, dimensions]`, at least [`LOG_VARIANCE_FLOOR`].
    pub log_variance: Tensor<2>,
}

impl TemporalBranch {
    /// Makes an untrained branch; the device's seed decides its numbers.
    #[must_use]
    pub fn new(shape: &BranchShape, device: &Device) -> Self {
        let pooled = shape.heads * shape.hidden;
        let linear = |input, output| LinearConfig::new(input, output).init(device);
        Self {
            score_in: linear(shape.hidden, shape.attention),
            score_out: linear(shape.attention, shape.heads),
            gate: linear(pooled, 1),
            inner: linear(pooled + ANCHOR_WIDTH, shape.width),
            inner_norm: LayerNormConfig::new(shape.width).init(device),
            second: linear(shape.width, shape.width),
            second_norm: LayerNormConfig::new(shape.width).init(device),
            mean: linear(shape.width + ANCHOR_WIDTH, shape.dimensions),
            log_variance: linear(shape.width + ANCHOR_WIDTH, shape.dimensions),
        }
    }

    /// Gives the latent Gaussians of texts.
    ///
    /// `states` are the encoder's token states `[batch, tokens, hidden]`, `mask` is
    /// `[batch, tokens]` with 1 for a token and 0 for padding (none where nothing is padded), and
    /// `anchors` is `[batch, ANCHOR_WIDTH]` from [`encode_anchor`].
    #[must_use]
    pub fn forward(
        &self,
        states: Tensor<3>,
        mask: Option<Tensor<2>>,
        anchors: Tensor<2>,
    ) -> LatentBatch {
        let [batch, _, hidden] = states.dims();
        let mut scores = self
            .score_out
            .forward(tanh(self.score_in.forward(states.clone())))
            .swap_dims(1, 2);
        let [_, heads, _] = scores.dims();
        if let Some(mask) = mask {
            // A padded token gets a score so low that its weight is exactly zero in float32.
            scores = scores + ((mask - 1.0) * 1e9).unsqueeze_dim::<3>(1);
        }
        let pooled = softmax(scores, 2)
            .matmul(states)
            .reshape([batch, heads * hidden]);
        let anchors = anchors * sigmoid(self.gate.forward(pooled.clone()));
        let inner = self
            .inner
            .forward(Tensor::cat(vec![pooled, anchors.clone()], 1));
        let inner = relu(self.inner_norm.forward(inner));
        let second = relu(self.second_norm.forward(self.second.forward(inner.clone())));
        let read = Tensor::cat(vec![inner + second, anchors], 1);
        let above = softplus(self.log_variance.forward(read.clone()), 1.0);
        LatentBatch {
            mean: self.mean.forward(read),
            log_variance: above + LOG_VARIANCE_FLOOR,
        }
    }

    /// Builds a branch from a record's bytes.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`], naming the tensor, if one is missing, extra, misshapen or not finite.
    pub fn from_record(shape: &BranchShape, bytes: Vec<u8>, device: &Device) -> Result<Self> {
        let mut record = RecordReader::from_bytes(bytes)?;
        let mut branch = Self::new(shape, device);
        for (name, linear) in branch.linears() {
            let [input, output] = linear.weight.val().dims();
            let weight = record.take_float32(&format!("{name}.weight"), &[input, output])?;
            let weight = TensorData::new(weight, [input, output]);
            linear.weight = Param::from_tensor(Tensor::from_data(weight, device));
            linear.bias = Some(vector(
                &mut record,
                &format!("{name}.bias"),
                output,
                device,
            )?);
        }
        for (name, norm) in branch.norms() {
            norm.gamma = vector(&mut record, &format!("{name}.gamma"), shape.width, device)?;
            norm.beta = Some(vector(
                &mut record,
                &format!("{name}.beta"),
                shape.width,
                device,
            )?);
        }
        record.finish()?;
        Ok(branch)
    }

    /// Writes the branch as a record.
    ///
    /// # Errors
    /// - [`ErrorKind::Gpu`] if the device does not give its numbers back.
    /// - [`ErrorKind::Internal`] if they cannot be written.
    pub fn to_record(&self, encoding: WeightEncoding) -> Result<Vec<u8>> {
        fn values<const D: usize>(tensor: Tensor<D>) -> Result<Vec<f32>> {
            tensor
                .into_data()
                .try_to_vec()
                .map_err(|e| Error::new(ErrorKind::Gpu, format!("{e:?}")).in_place("branch"))
        }
        let mut branch = self.clone();
        let mut writer = RecordWriter::new(encoding);
        for (name, linear) in branch.linears() {
            let [_, output] = linear.weight.val().dims();
            let weight = values(linear.weight.val())?;
            writer.matrix(
                &format!("{name}.weight"),
                &weight,
                output,
                ScaleAxis::Column,
            );
            if let Some(bias) = &linear.bias {
                writer.vector(&format!("{name}.bias"), &values(bias.val())?);
            }
        }
        for (name, norm) in branch.norms() {
            writer.vector(&format!("{name}.gamma"), &values(norm.gamma.val())?);
            if let Some(beta) = &norm.beta {
                writer.vector(&format!("{name}.beta"), &values(beta.val())?);
            }
        }
        writer.into_bytes()
    }

    fn linears(&mut self) -> [(&'static str, &mut Linear); 7] {
        [
            ("score_in", &mut self.score_in),
            ("score_out", &mut self.score_out),
            ("gate", &mut self.gate),
            ("inner", &mut self.inner),
            ("second", &mut self.second),
            ("mean", &mut self.mean),
            ("log_variance", &mut self.log_variance),
        ]
    }

    fn norms(&mut self) -> [(&'static str, &mut LayerNorm); 2] {
        [
            ("inner_norm", &mut self.inner_norm),
            ("second_norm", &mut self.second_norm),
        ]
    }
}

/// What the branch reads from one text: a Gaussian with a diagonal covariance.
#[derive(Clone, Debug, PartialEq)]
pub struct Latent {
    /// The mean.
    pub mean: Vec<f32>,
    /// The logarithm of each variance.
    pub log_variance: Vec<f32>,
}

/// The ways to make one similarity of the divergences of all dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LatentScore {
    /// 1 / (1 + the mean divergence), as in TEMPS.
    #[default]
    Temps,
    /// The mean of 1 / (1 + divergence), as in GaussCSE.
    GaussCse,
}

impl LatentScore {
    /// Gives the similarity of a query and a document, above 0 and at most 1; 0 where their
    /// dimensions differ.
    ///
    /// ```
    /// use almanac::encoder::{Latent, LatentScore};
    ///
    /// let a = Latent { mean: vec![0.0], log_variance: vec![0.0] };
    /// let b = Latent { mean: vec![2.0], log_variance: vec![0.0] };
    /// assert_eq!(LatentScore::Temps.similarity(&a, &a), 1.0);
    /// assert_eq!(LatentScore::Temps.similarity(&a, &b), 1.0 / 3.0);
    /// ```
    #[must_use]
    pub fn similarity(self, query: &Latent, document: &Latent) -> f64 {
        let count = query.mean.len();
        if count == 0 || count != document.mean.len() {
            return 0.0;
        }
        let divergences = query
            .mean
            .iter()
            .zip(&query.log_variance)
            .zip(document.mean.iter().zip(&document.log_variance))
            .map(|((&m, &v), (&n, &w))| divergence((m, v), (n, w)));
        let count = count as f64;
        match self {
            Self::Temps => 1.0 / (1.0 + divergences.sum::<f64>() / count),
            Self::GaussCse => divergences.map(|d| 1.0 / (1.0 + d)).sum::<f64>() / count,
        }
    }
}

/// KL(p ‖ q) of two normal distributions given as mean and logarithm of the variance, in nats.
fn divergence(p: (f32, f32), q: (f32, f32)) -> f64 {
    let apart = f64::from(p.0) - f64::from(q.0);
    let (v, w) = (f64::from(p.1), f64::from(q.1));
    let ratio = v - w;
    0.5 * (ratio.exp() - 1.0 - ratio + apart * apart * (-w).exp()).max(0.0)
}

/// What a temporal branch is, which encoder it belongs to, and how it was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BranchCard {
    /// Always [`BRANCH_FORMAT`].
    pub format: String,
    /// Version of this description, at most [`BRANCH_VERSION`].
    pub version: u32,
    /// The name of the encoder whose token states it reads.
    pub encoder: String,
    /// Its shape.
    pub shape: BranchShape,
    /// How it compares two texts.
    pub score: LatentScore,
    /// How its numbers are stored.
    pub encoding: WeightEncoding,
    /// The file with its numbers.
    pub weights: FileRef,
    /// Licence of the weights.
    pub license: String,
    /// How it was made, one line an item.
    pub made: Vec<String>,
    /// What was measured, by name.
    pub figures: std::collections::BTreeMap<String, f64>,
}

impl BranchCard {
    /// Reads a card.
    ///
    /// # Errors
    /// - [`ErrorKind::Corrupt`] if the bytes are no card.
    /// - [`ErrorKind::Incompatible`] if it is of a newer version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let card: Self = serde_json::from_slice(bytes)
            .map_err(|e| Error::corrupt(e.to_string()).in_place("branch.json"))?;
        if card.format != BRANCH_FORMAT {
            return Err(Error::corrupt(format!(
                "format is {:?}, expected {BRANCH_FORMAT:?}",
                card.format
            ))
            .in_place("branch.json"));
        }
        if card.version > BRANCH_VERSION {
            return Err(Error::new(
                ErrorKind::Incompatible,
                format!(
                    "version {}, this library reads up to {BRANCH_VERSION}",
                    card.version
                ),
            )
            .in_place("branch.json")
            .with_remedy("use a newer Almanac"));
        }
        card.weights.check()?;
        Ok(card)
    }

    /// Builds the branch from the bytes of the file the card names.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] if the checksum or a tensor is not as it must be.
    pub fn branch(&self, weights: Vec<u8>, device: &Device) -> Result<TemporalBranch> {
        self.weights.verify(&weights)?;
        TemporalBranch::from_record(&self.shape, weights, device)
    }

    /// Reads a branch folder (`branch.json` and the file it names) for the CPU.
    ///
    /// # Errors
    /// - [`ErrorKind::Io`] if a file cannot be read.
    /// - Those of [`Self::from_bytes`] and [`Self::branch`].
    #[cfg(all(feature = "flex", not(target_arch = "wasm32")))]
    pub fn open(folder: &std::path::Path) -> Result<(Self, TemporalBranch)> {
        let read = |name: &str| {
            let path = folder.join(name);
            std::fs::read(&path).map_err(|e| Error::io(&path, &e))
        };
        let card = Self::from_bytes(&read("branch.json")?)?;
        let branch = card.branch(read(&card.weights.file)?, &Device::flex())?;
        Ok((card, branch))
    }
}

#[cfg(all(test, feature = "flex"))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const SMALL: BranchShape = BranchShape {
        hidden: 8,
        attention: 4,
        heads: 2,
        width: 6,
        dimensions: 3,
    };

    /// The smallest squared distance between encodings of days at least `from` apart, over
    /// distances up to 5,100 years; waves alone, so that it depends on the distance only.
    fn closest(wavelengths: &[f64], from: i64) -> f64 {
        (from..=1_862_737)
            .map(|days| {
                wavelengths
                    .iter()
                    .map(|w| {
                        let s = (std::f64::consts::PI * days as f64 / w).sin();
                        4.0 * s * s
                    })
                    .sum::<f64>()
            })
            .fold(f64::INFINITY, f64::min)
    }

    /// The distance of the phases in the slowest three waves, which tell the epoch.
    fn coarse(wavelengths: &[f64], days: f64) -> f64 {
        wavelengths
            .iter()
            .take(3)
            .map(|w| (std::f64::consts::PI * days / w).sin().abs())
            .fold(0.0, f64::max)
    }

    #[test]
    fn no_two_days_of_five_millennia_share_an_encoding() {
        let ours: Vec<f64> = (0..WAVES).map(wavelength).collect();
        // The sum of squares over twenty waves is at most 80; a year apart is far from 0.
        assert!(closest(&ours, 366) > 2.0, "{}", closest(&ours, 366));
        // A day is told from the next by the shortest waves.
        assert!(closest(&ours, 1) > 0.04, "{}", closest(&ours, 1));
    }

    #[test]
    fn the_slowest_wave_tells_every_epoch_apart_where_the_published_one_repeats() {
        let ours: Vec<f64> = (0..WAVES).map(wavelength).collect();
        let published: Vec<f64> = (0..32)
            .rev()
            .map(|i| std::f64::consts::TAU * 10_000f64.powf(f64::from(2 * i) / 64.0))
            .collect();
        let century = 36_524.25;
        let lowest = |waves: &[f64]| {
            (100..5_100)
                .map(|years| coarse(&waves[..1], f64::from(years) * 365.2425))
                .fold(f64::INFINITY, f64::min)
        };
        assert!(lowest(&ours) >= coarse(&ours[..1], century) * 0.999);
        assert!(lowest(&published) < 0.02, "{}", lowest(&published));
    }

    #[test]
    fn the_variance_never_falls_below_its_floor() {
        let device = Device::flex();
        let branch = TemporalBranch::new(&SMALL, &device);
        let states = Tensor::<3>::ones([2, 5, 8], &device) * 1e4;
        let anchors = Tensor::<2>::zeros([2, ANCHOR_WIDTH], &device);
        let latent = branch.forward(states, None, anchors);
        let values: Vec<f32> = latent.log_variance.into_data().try_to_vec().unwrap();
        assert!(values.iter().all(|v| f64::from(*v) >= LOG_VARIANCE_FLOOR));
    }

    #[test]
    fn padding_changes_nothing_and_a_record_keeps_the_branch() {
        let device = Device::flex();
        let branch = TemporalBranch::new(&SMALL, &device);
        let bytes = branch.to_record(WeightEncoding::Float32).unwrap();
        let again = TemporalBranch::from_record(&SMALL, bytes, &device).unwrap();
        let tokens: Vec<f32> = (0..24).map(|n| (n as f32 * 0.7).sin()).collect();
        let anchor = encode_anchor(DayNumber(700_000));
        let run = |branch: &TemporalBranch, values: &[f32], mask: Option<Vec<f32>>| {
            let count = values.len() / 8;
            let states = TensorData::new(values.to_vec(), [1, count, 8]);
            let anchors = TensorData::new(anchor.clone(), [1, ANCHOR_WIDTH]);
            let mask = mask.map(|m| Tensor::from_data(TensorData::new(m, [1, count]), &device));
            let latent = branch.forward(
                Tensor::from_data(states, &device),
                mask,
                Tensor::from_data(anchors, &device),
            );
            let mean: Vec<f32> = latent.mean.into_data().try_to_vec().unwrap();
            mean
        };
        let plain = run(&branch, &tokens, None);
        assert_eq!(run(&again, &tokens, None), plain);
        let padded = [tokens.clone(), vec![9.0; 16]].concat();
        let mask = vec![1.0, 1.0, 1.0, 0.0, 0.0];
        for (a, b) in run(&branch, &padded, Some(mask)).iter().zip(&plain) {
            assert!((a - b).abs() < 1e-5);
        }
    }

    #[test]
    fn similarity_is_that_of_the_closed_form_in_one_dimension() {
        use crate::search::time::{Gaussian, bounded};
        let interval = |mean: f64, length: f64| {
            let latent = Latent {
                mean: vec![mean as f32],
                log_variance: vec![(length * length / 12.0).ln() as f32],
            };
            (latent, Gaussian::of_moments(mean, length).unwrap())
        };
        let (year, a) = interval(1_000.0, 365.0);
        let (day, b) = interval(1_040.0, 1.0);
        for ((p, x), (q, y)) in [((&year, a), (&day, b)), ((&day, b), (&year, a))] {
            let got = LatentScore::Temps.similarity(p, q);
            let expected = bounded(x.divergence(y));
            assert!((got / expected - 1.0).abs() < 1e-3, "{got} {expected}");
            assert!((LatentScore::GaussCse.similarity(p, q) - got).abs() < 1e-12);
        }
    }

    #[test]
    fn a_card_of_another_format_or_a_newer_version_is_refused() {
        let card = BranchCard {
            format: BRANCH_FORMAT.to_owned(),
            version: BRANCH_VERSION + 1,
            encoder: "e".to_owned(),
            shape: BranchShape::for_hidden(8),
            score: LatentScore::Temps,
            encoding: WeightEncoding::Int8,
            weights: FileRef::of_bytes("branch", "bin", b"x"),
            license: "MIT OR Apache-2.0".to_owned(),
            made: Vec::new(),
            figures: Default::default(),
        };
        let bytes = |card: &BranchCard| serde_json::to_vec(card).unwrap();
        let newer = BranchCard::from_bytes(&bytes(&card)).unwrap_err();
        assert_eq!(newer.kind(), ErrorKind::Incompatible);
        let other = BranchCard {
            format: "other".to_owned(),
            ..card
        };
        let error = BranchCard::from_bytes(&bytes(&other)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corrupt);
    }
}
