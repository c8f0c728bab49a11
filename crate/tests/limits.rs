//! Numbers at their ends, orders that are wrong and versions that are newer: each with its typed
//! error or its harmless effect.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod signed;

use almanac::index::{Index, SectionKind};
use almanac::search::{Filter, Ranking, RankingRequest};
use almanac::time::Role;
use almanac::{Error, ErrorKind};
use signed::{Signed, packed_section, plain_section};

fn number(out: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn text(out: &mut Vec<u8>, text: &[u8]) {
    number(out, text.len() as u64);
    out.extend_from_slice(text);
}

fn ask(index: &Index, query: &str) -> Ranking {
    let request = RankingRequest {
        k: 10,
        filter: Filter::default(),
        ..RankingRequest::default()
    };
    let question = index.question(query, None, true);
    index.rank(&question, None, &request).unwrap()
}

fn with(kind: SectionKind, count: u32, section: Vec<u8>) -> Signed {
    let mut signed = Signed::new(1, 2);
    signed.put(kind, 0, count, section);
    signed
}

#[track_caller]
fn refused(signed: &Signed, says: &str) {
    let error = signed.open().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Corrupt, "{error}");
    let said = error.to_string();
    assert!(said.contains(says), "{said}");
    assert!(!said.contains('\n'));
}

/// A `times` section of two passages whose first has one date of the given bytes.
fn date(bytes: &[u8]) -> Signed {
    let plain = [&[1], bytes, &[0]].concat();
    with(
        SectionKind::Times,
        2,
        packed_section(SectionKind::Times, [2, 0, 1], &plain),
    )
}

/// One term of a dictionary: bytes shared, the rest, the postings, and whether it has places.
type Term<'a> = (u64, &'a [u8], &'a [u8], bool);

/// A lexicon of two passages with one shard of the given terms, each in one passage.
fn terms(first: &[u8], all: &[Term<'_>]) -> Signed {
    let mut lexicon = vec![0];
    text(&mut lexicon, first);
    number(&mut lexicon, all.len() as u64);
    lexicon.extend_from_slice(&[3, 3]);
    let (mut dictionary, mut lists) = (Vec::new(), Vec::new());
    for (shared, rest, list, places) in all {
        number(&mut dictionary, *shared);
        text(&mut dictionary, rest);
        number(&mut dictionary, 2 | u64::from(*places));
        number(&mut dictionary, list.len() as u64);
        lists.extend_from_slice(list);
    }
    let mut shard = Vec::new();
    text(&mut shard, &dictionary);
    shard.extend_from_slice(&lists);
    let count = all.len() as u32;
    let mut signed = with(
        SectionKind::Lexicon,
        2,
        packed_section(SectionKind::Lexicon, [2, 1, count], &lexicon),
    );
    let section = packed_section(SectionKind::Postings, [count, 0, 0], &shard);
    signed.put(SectionKind::Postings, 0, count, section);
    signed
}

fn facet(documents: &[u8]) -> Signed {
    let plain = [b"\x01K\x02\x01a\x01b", documents].concat();
    let mut signed = Signed::new(2, 2);
    let section = packed_section(SectionKind::Facets, [1, 2, 0], &plain);
    signed.put(SectionKind::Facets, 0, 2, section);
    signed
}

fn manifest(change: impl FnOnce(&mut serde_json::Value)) -> Result<Index, Error> {
    let mut json = serde_json::to_value(&Signed::new(1, 2).manifest).unwrap();
    change(&mut json);
    Index::open(json.to_string().as_bytes())
}

#[test]
fn an_index_without_documents_is_refused_and_one_passage_is_enough() {
    assert!(
        manifest(|m| m["documents"] = 0.into())
            .unwrap_err()
            .is_corrupt()
    );
    assert!(
        manifest(|m| m["passages"] = 0.into())
            .unwrap_err()
            .is_corrupt()
    );
    let index = Signed::new(1, 1).open().unwrap();
    assert_eq!(ask(&index, "bowl").hits.len(), 1);
    assert_eq!(index.search(&[1.0, 0.0], 3).unwrap().len(), 1);
    assert!(index.search(&[1.0, 0.0], 0).unwrap().is_empty());
}

#[test]
fn counts_near_two_to_the_32_are_a_manifest_but_no_small_file_holds_them() {
    let most = u32::MAX - 1;
    let mut signed = Signed::new(1, 2);
    signed.manifest.passages = most;
    signed.put(
        SectionKind::Vectors,
        0,
        most,
        plain_section(SectionKind::Vectors, [2, most, 0, 0], &[0; 64]),
    );
    signed.put(
        SectionKind::Times,
        0,
        most,
        packed_section(SectionKind::Times, [most, 0, most], &[0; 64]),
    );
    let json = serde_json::to_vec(&signed.manifest).unwrap();
    assert!(Index::open(&json).is_ok());
    refused(&signed, "document starts do not rise");
    for (kind, fields) in [
        (SectionKind::Times, [most, 0, u32::MAX]),
        (SectionKind::Lexicon, [most, u32::MAX, u32::MAX]),
        (SectionKind::Facets, [u32::MAX, 1, 0]),
    ] {
        let mut signed = Signed::new(1, 2);
        signed.put(kind, 0, if kind == SectionKind::Facets { 1 } else { 2 }, {
            packed_section(kind, fields, &[0; 64])
        });
        assert!(signed.open().unwrap_err().is_corrupt(), "{kind:?}");
    }
    for (dimensions, count) in [(u32::MAX, u32::MAX), (2, u32::MAX), (u32::MAX, 2)] {
        let section = plain_section(SectionKind::Vectors, [dimensions, count, 0, 0], &[0; 64]);
        refused(&with(SectionKind::Vectors, 2, section), "64 bytes for");
    }
    let too_many = manifest(|m| {
        m["passages"] = u32::MAX.into();
        m["files"][1]["count"] = u32::MAX.into();
    });
    assert!(too_many.unwrap_err().is_corrupt());
    let beyond = manifest(|m| m["passages"] = (u64::from(u32::MAX) + 1).into());
    assert!(beyond.unwrap_err().is_corrupt());
}

#[test]
fn a_code_of_minus_128_is_refused_since_its_product_could_overflow() {
    let mut signed = Signed::new(1, 1);
    signed.manifest.model.dimensions = 700;
    let payload = [&1f32.to_le_bytes()[..], &[0x80; 700]].concat();
    let section = plain_section(SectionKind::Vectors, [700, 1, 0, 0], &payload);
    signed.put(SectionKind::Vectors, 0, 1, section);
    refused(&signed, "code of -128");
}

#[test]
fn a_scale_that_is_no_number_or_no_share_is_refused() {
    for scale in [f32::NAN, f32::INFINITY, -1.0, 1.5] {
        let payload = [&scale.to_le_bytes()[..], &[0; 8]].concat();
        let section = plain_section(SectionKind::Vectors, [2, 2, 0, 0], &payload);
        refused(&with(SectionKind::Vectors, 2, section), "scale of vector 0");
    }
}

#[test]
fn a_term_of_a_mebibyte_is_found_and_others_after_it_too() {
    let long = vec![b'a'; 1 << 20];
    let longer = (1 << 20, b"b".as_slice(), b"\x01\x01\x00".as_slice(), true);
    let signed = terms(
        &long,
        &[
            (0, &long, b"\x00\x01\x00", true),
            longer,
            (0, b"bowl", b"\x00\x02\x01\x01", true),
        ],
    );
    let index = signed.open().unwrap();
    let long = String::from_utf8(long).unwrap();
    for (query, document) in [
        (long.clone(), 0),
        (format!("{long}b"), 1),
        ("bowl".into(), 0),
    ] {
        let hits = ask(&index, &query).hits;
        assert_eq!((hits[0].passage, hits[0].words.len()), (document, 1));
    }
    let none = ask(&index, &long[1..]).hits;
    assert!(none.iter().all(|hit| hit.words.is_empty()));
}

#[test]
fn terms_that_stand_twice_or_out_of_order_are_refused() {
    let one = b"\x00\x01".as_slice();
    let order = |second| terms(b"b", &[(0, b"b", one, false), second]);
    assert!(order((0, b"c", one, false)).open().is_ok());
    refused(&order((0, b"b", one, false)), "term 1 is out of order");
    refused(&order((1, b"", one, false)), "term 1 is out of order");
    refused(&order((0, b"a", one, false)), "term 1 is out of order");
    refused(&order((0, b"", one, false)), "term 1 is out of order");
    refused(&order((2, b"c", one, false)), "shares too much");
    refused(&order((u64::MAX, b"c", one, false)), "shares too much");
    let other_first = terms(b"a", &[(0, b"b", one, false)]);
    refused(&other_first, "term 0 is out of order");
}

#[test]
fn a_term_that_shares_half_a_character_is_refused() {
    let one = b"\x00\x01".as_slice();
    let first = "é".as_bytes();
    let split = terms(first, &[(0, first, one, false), (1, b"\xaa", one, false)]);
    assert!(split.open().unwrap_err().is_corrupt());
    let split = terms(first, &[(0, first, one, false), (1, b"a", one, false)]);
    refused(&split, "shares too much");
}

#[test]
fn places_beyond_the_passage_are_as_if_other_words_stood_between() {
    let far = {
        let mut list = vec![0, 1];
        number(&mut list, u64::from(u32::MAX));
        list
    };
    let all = [
        (0, b"blue".as_slice(), b"\x00\x01\x00".as_slice(), true),
        (1, b"owl", &far, true),
    ];
    let index = terms(b"blue", &all).open().unwrap();
    let ranking = ask(&index, "\"blue bowl\"");
    assert!(!ranking.hits[0].exact && ranking.hits[0].score.is_finite());
    let mut beyond = vec![0, 2];
    number(&mut beyond, u64::from(u32::MAX));
    beyond.push(1);
    let index = terms(b"bowl", &[(0, b"bowl", &beyond, true)])
        .open()
        .unwrap();
    let question = index.question("bowl", None, true);
    let error = index
        .rank(&question, None, &RankingRequest::default())
        .unwrap_err();
    assert!(error.is_corrupt(), "{error}");
}

#[test]
fn facet_values_out_of_order_twice_or_of_nobody_are_refused() {
    assert!(facet(b"\x02\x00\x01\x00").open().is_ok());
    for (documents, says) in [
        (b"\x02\x01\x00\x00".as_slice(), "out of order or range"),
        (b"\x02\x00\x00\x00", "out of order or range"),
        (b"\x02\x00\x02\x00", "out of order or range"),
        (b"\x01\x00\x00", "of no document"),
        (b"\x02\x00\x01\x00\x00", "more than expected"),
    ] {
        refused(&facet(documents), says);
    }
    let empty = packed_section(SectionKind::Facets, [1, 1, 0], b"\x01K\x01\x00\x01\x00");
    refused(&with(SectionKind::Facets, 1, empty), "an empty value");
}

#[test]
fn an_arc_that_is_no_part_of_a_year_is_refused() {
    let arc = |center: f64, length: f64| {
        date(&[&[0x40, 0], &center.to_le_bytes()[..], &length.to_le_bytes()].concat())
    };
    assert!(arc(0.0, 366.0).open().is_ok());
    for (center, length) in [
        (f64::NAN, 10.0),
        (10.0, f64::NAN),
        (f64::INFINITY, 10.0),
        (-1.0, 10.0),
        (366.0, 10.0),
        (10.0, 0.0),
        (10.0, 366.5),
    ] {
        refused(&arc(center, length), "an arc of");
    }
}

#[test]
fn days_beyond_two_to_the_53_and_reversed_intervals_are_refused() {
    let interval = |first: i64, length: i64| {
        let mut bytes = vec![0, 1, 0];
        number(&mut bytes, ((first << 1) ^ (first >> 63)) as u64);
        number(&mut bytes, ((length << 1) ^ (length >> 63)) as u64);
        date(&bytes)
    };
    let last = (1i64 << 53) - 1;
    for (first, length) in [(0, 0), (last, 0), (-last, 2 * last)] {
        let index = interval(first, length).open().unwrap();
        assert_eq!(index.dates_of(0).datings[0].readings.len(), 1);
        assert!(
            ask(&index, "1850")
                .hits
                .iter()
                .all(|hit| hit.score.is_finite())
        );
    }
    for (first, length) in [(last + 1, 0), (last, 1), (-last - 1, 0), (i64::MAX, 1)] {
        refused(&interval(first, length), "a day out of range");
    }
    refused(&interval(9, -1), "ends before it begins");
    for ends in [3, 0b1100, 0b1_0000] {
        refused(&date(&[0, 1, ends]), "an end of kind");
    }
}

#[test]
fn a_role_of_a_newer_version_is_read_as_mentioned() {
    for role in 18..32 {
        let index = date(&[role, 0]).open().unwrap();
        assert_eq!(index.dates_of(0).datings[0].role, Role::Mentioned);
    }
}

#[test]
fn words_near_a_date_out_of_order_are_refused() {
    let cue = |words: [u8; 2]| date(&[0x80, 0, 2, words[0], 0, 0, 0, 9, words[1], 0, 0, 0, 9]);
    assert!(cue([1, 2]).open().is_ok());
    refused(&cue([2, 1]), "out of order");
    refused(&cue([1, 1]), "out of order");
}

#[test]
fn a_kind_of_section_of_a_newer_minor_is_skipped() {
    let index = manifest(|m| {
        m["version"] = serde_json::json!([1, 9]);
        let mut more = m["files"][0].clone();
        more["kind"] = "pictures".into();
        more["file"] = "pictures-0.bin".into();
        m["files"].as_array_mut().unwrap().push(more);
    });
    let mut index = index.unwrap();
    assert!(
        index
            .required()
            .iter()
            .all(|file| file.kind != SectionKind::Unknown)
    );
    assert!(index.add_file("pictures-0.bin", b"").is_err());
}

#[test]
fn a_newer_major_is_refused_by_both_versions() {
    for major in [0u32, 2, u32::MAX] {
        let error = manifest(|m| m["version"] = serde_json::json!([major, 3])).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        let says = format!("format version {major}.3, this release reads 1.x");
        assert!(error.to_string().contains(&says), "{error}");
    }
}

#[test]
fn a_file_named_twice_is_refused() {
    let error = manifest(|m| m["files"][1]["file"] = m["files"][0]["file"].clone()).unwrap_err();
    assert!(
        error.is_corrupt() && error.to_string().contains("named twice"),
        "{error}"
    );
}

#[test]
fn a_stemming_of_a_newer_version_is_refused() {
    let section = packed_section(SectionKind::Lexicon, [2, 0, 0], &[2, 1, 1]);
    refused(
        &with(SectionKind::Lexicon, 2, section),
        "stemming of kind 2",
    );
}

#[test]
fn bytes_after_a_compressed_payload_are_refused() {
    let mut section = packed_section(SectionKind::Times, [2, 0, 0], &[0, 0]);
    let end = section.len() - 4;
    section.truncate(end);
    section.extend_from_slice(b"more");
    let crc = crc32fast::hash(&section);
    section.extend_from_slice(&crc.to_le_bytes());
    refused(
        &with(SectionKind::Times, 2, section),
        "after the compressed payload",
    );
}

#[test]
fn signs_and_clusters_go_with_what_the_manifest_says_of_them() {
    let prefilter = |candidates: u32, recall: f32| {
        manifest(|m| {
            m["prefilter"] = serde_json::json!({"candidates": candidates, "recall_at_10": recall});
            let mut signs = m["files"][1].clone();
            signs["kind"] = "signs".into();
            signs["file"] = "signs-0.bin".into();
            m["files"].as_array_mut().unwrap().push(signs);
        })
    };
    assert!(prefilter(1, 1.0).is_ok());
    for (candidates, recall) in [(0, 1.0), (1, 1.5), (1, -0.1)] {
        assert!(prefilter(candidates, recall).unwrap_err().is_corrupt());
    }
    let alone = manifest(|m| {
        m["prefilter"] = serde_json::json!({"candidates": 1, "recall_at_10": 1.0});
    });
    let said = alone.unwrap_err().to_string();
    assert!(said.contains("do not go together"), "{said}");
    for point in [
        r#"{"probes": 1, "bytes": 2.0, "recall_at_10": 1.0}"#,
        r#"{"probes": 1, "bytes": 0.5, "recall_at_10": -1.0}"#,
        r#"{"probes": 1, "bytes": null, "recall_at_10": 1.0}"#,
    ] {
        let point: serde_json::Value = serde_json::from_str(point).unwrap();
        let clusters = manifest(|m| {
            m["clusters"] = serde_json::json!({"probes": 1, "curve": [point]});
            let mut clusters = m["files"][1].clone();
            clusters["kind"] = "clusters".into();
            clusters["file"] = "clusters-0.bin".into();
            m["files"].as_array_mut().unwrap().push(clusters);
        });
        assert!(clusters.unwrap_err().is_corrupt());
    }
}
