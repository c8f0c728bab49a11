//! What the targets share: signed indexes around the fuzzer's bytes, and what is asked of them.
//!
//! A section's checksums and its compression would stop nearly every mutation before the decoder
//! sees it. Here the fuzzer's bytes are the payload once decompressed; frame, CRC-32 and SHA-256 are
//! made right. Inputs begin with the few counts that a section shares with the manifest.

#[path = "../../crate/tests/signed/mod.rs"]
mod signed;

use almanac::index::Index;
use almanac::search::{Filter, RankingRequest};
pub use signed::{Signed, packed_section, plain_section};

/// Takes one byte off the input; 0 at its end.
pub fn byte(data: &mut &[u8]) -> u8 {
    match data.split_first() {
        Some((first, rest)) => {
            *data = rest;
            *first
        }
        None => 0,
    }
}

/// Takes two bytes off the input as a number.
pub fn number(data: &mut &[u8]) -> u32 {
    u32::from(byte(data)) | u32::from(byte(data)) << 8
}

/// Asks for meaning, words, codes, phrases, time and filters, and holds the answers to their laws.
pub fn search(index: &Index, more: &str) {
    let dimensions = index.manifest().model.dimensions as usize;
    let vector = vec![1.0; dimensions];
    let filters = [
        Filter::default(),
        Filter {
            first: Some(600_000),
            facets: vec![(0, 0), (0, 1), (1, 0)],
            ..Filter::default()
        },
    ];
    let texts = [
        "plough around 1850",
        "\"bust of\" 42.7-3",
        "born 1831 in April",
        "「農政全書」 康熙三年",
        "a",
        more,
    ];
    for (number, text) in texts.into_iter().enumerate() {
        let question = index.question(text, None, false);
        let names = index.sort_names();
        let by = names.get(number % (names.len() + 1));
        let request = RankingRequest {
            k: 5,
            filter: filters[number % 2].clone(),
            sort: by.and_then(|by| index.sort(by, number % 2 == 0).ok()),
            exact: number == 4,
            time_score: None,
        };
        let vector = (number % 2 == 0).then_some(vector.as_slice());
        let Ok(ranking) = index.rank(&question, vector, &request) else {
            continue;
        };
        assert!(ranking.hits.len() <= request.k);
        assert!(ranking.matching <= index.manifest().documents);
        let mut last = f64::INFINITY;
        for hit in &ranking.hits {
            let in_order = request.sort.is_some() || hit.score <= last;
            assert!(hit.score.is_finite() && in_order, "{hit:?}");
            assert!(hit.cosine.is_none_or(f32::is_finite), "{hit:?}");
            last = hit.score;
            let passages = index.passages(hit.document).expect("a document in range");
            assert!(passages.contains(&hit.passage), "{hit:?}");
        }
    }
    if let Ok(hits) = index.search(&vector, 3) {
        assert!(hits.iter().all(|hit| hit.score.is_finite()));
    }
    if let Ok(files) = index.vector_files(&vector, 2) {
        assert!(files.is_empty(), "all were added");
    }
    let (dated, _) = index.dated();
    assert!(dated <= index.manifest().documents);
}
