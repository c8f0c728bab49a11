//! The loss as tensors.

use burn::tensor::activation::log_softmax;
use burn::tensor::{Device, Int, Tensor, TensorData};

use super::super::loss::Contrast;

/// The vectors of a batch, of length 1.
#[derive(Clone, Debug)]
pub(super) struct Vectors {
    /// `[queries, dimensions]`
    pub(super) queries: Tensor<2>,
    /// `[queries, dimensions]`, each query's own passage.
    pub(super) passages: Tensor<2>,
    /// `[queries, dimensions]`, a hard negative for each query.
    pub(super) negatives: Option<Tensor<2>>,
}

/// Gives the contrastive loss, `[1]`; see [`super::super::loss::simcse`]. `same` lists places
/// (query, column) that are left out, since they hold an answer too.
pub(super) fn contrastive(
    vectors: &Vectors,
    contrast: Contrast,
    same: &[(usize, usize)],
    device: &Device,
) -> Tensor<1> {
    let [count, _] = vectors.queries.dims();
    let mut columns = vec![vectors.passages.clone()];
    columns.extend(vectors.negatives.clone());
    let width = count * columns.len();
    let cosines = vectors
        .queries
        .clone()
        .matmul(Tensor::cat(columns, 0).transpose());
    let mut bias = vec![0f32; count * width];
    if width > count {
        for row in 0..count {
            bias[row * width + count + row] = contrast.hard_weight.ln() as f32;
        }
    }
    for (row, column) in same {
        bias[row * width + column] = -1e9;
    }
    let bias = Tensor::<2>::from_data(TensorData::new(bias, [count, width]), device);
    let logits = cosines / contrast.temperature + bias;
    let forward = own(log_softmax(logits.clone(), 1), device);
    if contrast.symmetric {
        let square = logits.slice([0..count, 0..count]);
        (forward + own(log_softmax(square, 0), device)) * 0.5
    } else {
        forward
    }
}

/// The mean of what stands in each row's own place, with its sign turned.
fn own(values: Tensor<2>, device: &Device) -> Tensor<1> {
    let [count, _] = values.dims();
    let places: Vec<i64> = (0..count as i64).collect();
    let places = Tensor::<2, Int>::from_data(TensorData::new(places, [count, 1]), device);
    -values.gather(1, places).mean()
}

/// Gives the mean distance 1 − cosine from a teacher's vectors, `[1]`.
pub(super) fn distillation(vectors: Tensor<2>, teacher: Tensor<2>) -> Tensor<1> {
    (-(vectors * teacher).sum_dim(1).mean()) + 1.0
}
