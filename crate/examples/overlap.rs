//! Compares the ten nearest passages by the query vectors of a model in integers with those by
//! another model in float32, on a whole index.
//!
//! `cargo run --release -p almanac --example overlap -- INDEX MODEL FLOAT32_MODEL < queries.txt`

use std::io::BufRead;
use std::path::Path;

use almanac::Result;
use almanac::encoder::{Model, TextKind};
use almanac::index::Index;

/// Results compared.
const TOP: usize = 10;
/// Scores this near to each other are equal to a reader, as in the recall of an index.
const TIE: f32 = 1e-3;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [index, integer, float32] = arguments.as_slice() else {
        eprintln!("error: expected INDEX MODEL FLOAT32_MODEL");
        std::process::exit(2);
    };
    let index = Index::open_folder(Path::new(index))?;
    let integer = Model::open_integer(Path::new(integer))?;
    let float32 = Model::open(Path::new(float32))?;
    let (mut same, mut as_good, mut wanted, mut queries) = (0usize, 0usize, 0usize, 0usize);
    let mut lowest = 1f32;
    for line in std::io::stdin().lock().lines() {
        let text = line.map_err(|e| almanac::Error::io(Path::new("stdin"), &e))?;
        let encode = |model: &Model| pollster::block_on(model.encode(&text, TextKind::Query));
        let (a, b) = (encode(&integer)?, encode(&float32)?);
        lowest = lowest.min(a.iter().zip(&b).map(|(x, y)| x * y).sum());
        let (found, expected) = (index.search(&a, TOP)?, index.search(&b, 10 * TOP)?);
        let tenth = expected.get(TOP - 1).map_or(-1.0, |hit| hit.score);
        let best = &expected[..TOP.min(expected.len())];
        wanted += best.len();
        same += best
            .iter()
            .filter(|e| found.iter().any(|f| f.passage == e.passage))
            .count();
        as_good += found
            .iter()
            .filter(|f| {
                let there = expected.iter().find(|e| e.passage == f.passage);
                there.is_some_and(|e| e.score >= tenth - TIE)
            })
            .count();
        queries += 1;
    }
    let share = |count: usize| count as f64 / wanted.max(1) as f64;
    println!(
        "{queries} queries: the ten best are the same for {:.4}, as good for {:.4}; lowest cosine \
         of two query vectors {lowest:.6}",
        share(same),
        share(as_good)
    );
    Ok(())
}
