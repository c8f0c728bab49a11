//! The whole encoder after the word table.

use std::sync::{Mutex, PoisonError};

use super::activations::Activations;
use super::attention::{Attention, Joint};
use super::functions::gelu;
use super::lanes::{Floats, LANES};
use super::linear::Linear;
use super::norm::Norm;
use crate::Result;
use crate::encoder::card::{Architecture, ModelCard, Pooling};
use crate::encoder::network::normalize;
use crate::encoder::record::RecordReader;

/// A BERT encoder in integers: rows of the word table in, token states or a unit vector out.
#[derive(Debug)]
pub(in super::super) struct IntegerBert {
    /// `[positions, hidden]` from the first token's position on, the first segment type added.
    positions: Vec<f32>,
    norm: Norm,
    layers: Vec<Layer>,
    hidden: usize,
    heads: usize,
    pooling: Pooling,
    /// Room left from earlier texts, one for each thread that was ever at work.
    rooms: Mutex<Vec<Room>>,
}

#[derive(Debug)]
struct Layer {
    /// `hidden` to `3 × hidden`: query, key and value one after the other.
    attention: Linear,
    attention_out: Linear,
    attention_norm: Norm,
    up: Linear,
    down: Linear,
    norm: Norm,
}

/// Numbers between the steps of one text.
#[derive(Debug, Default)]
struct Room {
    /// `[tokens, hidden]`
    states: Vec<f32>,
    codes: Activations,
    /// Rows as a linear layer writes them.
    wide: Vec<f32>,
    /// `[tokens, hidden]`
    attended: Vec<f32>,
    attention: Attention,
}

impl IntegerBert {
    /// Builds the layers from a record, taking each tensor by name.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Corrupt`], naming the tensor, if one is missing, misshapen or not
    /// finite.
    pub(in super::super) fn from_record(
        card: &ModelCard,
        record: &mut RecordReader,
    ) -> Result<Self> {
        let shape = &card.architecture;
        let hidden = shape.hidden;
        let mut positions = record.take_float32("position", &[shape.positions, hidden])?;
        let token_types = record.take_float32("token_type", &[shape.token_types, hidden])?;
        positions.drain(..shape.first_position * hidden);
        for row in positions.chunks_exact_mut(hidden) {
            for (position, token_type) in row.iter_mut().zip(&token_types) {
                *position += token_type;
            }
        }
        let layers = (0..shape.layers).map(|number| Layer::from_record(shape, number, record));
        Ok(Self {
            positions,
            layers: layers.collect::<Result<_>>()?,
            norm: Norm::from_record(record, "norm", shape)?,
            hidden,
            heads: shape.heads,
            pooling: card.pooling,
            rooms: Mutex::new(Vec::new()),
        })
    }

    /// Encodes a text, given as its tokens' rows of the word table, to a unit vector.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Gpu`] if the weights lead to numbers without a direction.
    pub(in super::super) fn encode(&self, words: &[f32]) -> Result<Vec<f32>> {
        self.with_room(|room| {
            self.forward(words, room);
            normalize(&self.pool(&room.states))
        })
    }

    /// Gives the token states of a text, `[tokens, hidden]`.
    ///
    /// # Errors
    /// None so far.
    pub(in super::super) fn states(&self, words: &[f32]) -> Result<Vec<f32>> {
        self.with_room(|room| {
            self.forward(words, room);
            Ok(room.states.clone())
        })
    }

    fn with_room<T>(&self, work: impl FnOnce(&mut Room) -> T) -> T {
        // A room is taken out and put back whole, so a panic elsewhere cannot have spoiled one.
        let rooms = || self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        let mut room = rooms().pop().unwrap_or_default();
        let result = work(&mut room);
        rooms().push(room);
        result
    }

    fn forward(&self, words: &[f32], room: &mut Room) {
        room.states.clear();
        room.states.extend_from_slice(words);
        let positions = self.positions.chunks_exact(self.hidden);
        for (row, position) in room.states.chunks_exact_mut(self.hidden).zip(positions) {
            self.norm.add_and_apply(row, position);
        }
        for layer in &self.layers {
            layer.forward(self.hidden, self.heads, room);
        }
    }

    fn pool(&self, states: &[f32]) -> Vec<f32> {
        let mut rows = states.chunks_exact(self.hidden);
        match self.pooling {
            Pooling::Cls => rows.next().unwrap_or_default().to_vec(),
            Pooling::Mean => rows.fold(vec![0.0; self.hidden], |mut sum, row| {
                for (sum, x) in sum.iter_mut().zip(row) {
                    *sum += x;
                }
                sum
            }),
        }
    }
}

impl Layer {
    fn from_record(shape: &Architecture, number: usize, record: &mut RecordReader) -> Result<Self> {
        let (hidden, inner) = (shape.hidden, shape.intermediate);
        let name = |part: &str| format!("layers.{number}.{part}");
        Ok(Self {
            attention: Linear::from_record(record, &name("attention"), hidden, 3 * hidden)?,
            attention_out: Linear::from_record(record, &name("attention_out"), hidden, hidden)?,
            attention_norm: Norm::from_record(record, &name("attention_norm"), shape)?,
            up: Linear::from_record(record, &name("up"), hidden, inner)?,
            down: Linear::from_record(record, &name("down"), inner, hidden)?,
            norm: Norm::from_record(record, &name("norm"), shape)?,
        })
    }

    fn forward(&self, hidden: usize, heads: usize, room: &mut Room) {
        let Room {
            states,
            codes,
            wide,
            attended,
            attention,
        } = room;
        codes.fill(states, hidden, hidden);
        self.attention.apply(codes, wide);
        let joint = Joint {
            rows: wide,
            stride: self.attention.stride(),
            hidden,
        };
        attention.apply(joint, heads, attended);
        codes.fill(attended, hidden, hidden);
        self.attention_out.apply(codes, wide);
        add_and_norm(
            states,
            wide,
            self.attention_out.stride(),
            &self.attention_norm,
        );
        codes.fill(states, hidden, hidden);
        self.up.apply(codes, wide);
        let (quads, _) = wide.as_chunks_mut::<LANES>();
        for quad in quads {
            gelu(Floats::load(quad)).store(quad);
        }
        codes.fill(wide, self.up.stride(), self.down.inputs());
        self.down.apply(codes, wide);
        add_and_norm(states, wide, self.down.stride(), &self.norm);
    }
}

/// Adds a layer's output to the states and normalizes.
fn add_and_norm(states: &mut [f32], output: &[f32], stride: usize, norm: &Norm) {
    let rows = states.chunks_exact_mut(norm.width());
    for (row, output) in rows.zip(output.chunks_exact(stride)) {
        norm.add_and_apply(row, output);
    }
}
