//! What opening an index takes of memory, whatever its files hold: the law of `docs/format.md`.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod signed;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use almanac::index::{Clustering, Index, Prefilter, SectionKind};
use almanac::search::RankingRequest;
use signed::{Signed, packed_section, plain_section};

/// The system's allocator, counted.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn taken(bytes: usize) {
    PEAK.fetch_max(NOW.fetch_add(bytes, SeqCst) + bytes, SeqCst);
}

// SAFETY: every call is passed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        // SAFETY: the caller's layout.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), SeqCst);
        // SAFETY: `at` came from `alloc` with this layout.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both may be there while the contents move.
        taken(size);
        // SAFETY: `at` came from `alloc` with this layout.
        let moved = unsafe { System.realloc(at, layout, size) };
        NOW.fetch_sub(layout.size(), SeqCst);
        moved
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Gives what was taken at most beyond what was there before.
fn peak<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = NOW.load(SeqCst);
    PEAK.store(before, SeqCst);
    let out = work();
    (out, PEAK.load(SeqCst) - before)
}

const MIB: usize = 1024 * 1024;

/// What any file may take, in payloads; it may take 1 MiB more.
const TIMES_PAYLOAD: usize = 4;

fn number(out: &mut Vec<u8>, mut number: usize) {
    while number > 0x7f {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn numbers(all: &[usize]) -> Vec<u8> {
    let mut out = Vec::new();
    for one in all {
        number(&mut out, *one);
    }
    out
}

/// Adds one file to an index that has all before it, and holds the law.
fn hold(name: &str, signed: &Signed, kind: SectionKind, payload: usize) -> usize {
    let (mut index, file, bytes) = signed.before(kind);
    let (outcome, peak) = if kind == SectionKind::Documents {
        let entry = index.manifest().files_of(kind).next().unwrap().clone();
        let (read, peak) = peak(|| index.read_documents(&entry, bytes));
        (read.map(|_| ()), peak)
    } else {
        peak(|| index.add_file(&file, bytes))
    };
    let most = TIMES_PAYLOAD * payload + MIB;
    println!(
        "{name}: payload {payload}, peak {peak}, {:.1} times, {}",
        peak as f64 / payload as f64,
        outcome.err().map_or("read".to_owned(), |e| e.to_string())
    );
    assert!(peak <= most, "{name}: {peak} of {most} for {payload}");
    peak
}

fn packed(name: &str, kind: SectionKind, counts: (u32, u32), fields: [u32; 3], plain: &[u8]) {
    let (documents, passages) = counts;
    let mut signed = Signed::new(documents, passages);
    let count = match kind {
        SectionKind::Documents | SectionKind::Facets | SectionKind::Sort => documents,
        _ => passages,
    };
    signed.put(kind, 0, count, packed_section(kind, fields, plain));
    hold(name, &signed, kind, plain.len());
}

fn postings(name: &str, first: &[u8], terms: u32, plain: &[u8]) -> Signed {
    let mut lexicon = vec![0];
    number(&mut lexicon, first.len());
    lexicon.extend_from_slice(first);
    lexicon.extend(numbers(&[terms as usize, 1]));
    let mut signed = Signed::new(1, 1);
    let section = packed_section(SectionKind::Lexicon, [1, 1, terms], &lexicon);
    signed.put(SectionKind::Lexicon, 0, 1, section);
    let section = packed_section(SectionKind::Postings, [terms, 0, 0], plain);
    signed.put(SectionKind::Postings, 0, terms, section);
    hold(name, &signed, SectionKind::Postings, plain.len());
    signed
}

/// One test, since what is counted is counted for all threads.
#[test]
fn no_file_takes_more_memory_than_its_law_allows() {
    let n = 400_000u32;
    let many = n as usize;

    let golden = Signed::golden();
    let size = golden.size();
    let (index, taken) = peak(|| golden.open().unwrap());
    println!("golden 1.3: {size} bytes, peak {taken}");
    assert!(taken <= TIMES_PAYLOAD * size + MIB);
    drop(index);

    let mut sized = Signed::new(1, n);
    sized.put(
        SectionKind::Signs,
        0,
        n,
        plain_section(SectionKind::Signs, [2, n, 0, 0], &vec![1; many]),
    );
    sized.manifest.prefilter = Some(Prefilter {
        candidates: 1,
        recall_at_10: 1.0,
    });
    hold("signs", &sized, SectionKind::Signs, many);
    let mut sized = Signed::new(1, n);
    let ones = 1u32.to_le_bytes().repeat(many);
    let payload = [ones, vec![0; 6 * many]].concat();
    let section = plain_section(SectionKind::Clusters, [2, n, n, 0], &payload);
    sized.put(SectionKind::Clusters, 0, n, section);
    sized.manifest.clusters = Some(Clustering {
        probes: 1,
        curve: Vec::new(),
    });
    hold("clusters", &sized, SectionKind::Clusters, payload.len());
    let column = [b"\x01a\x01".as_slice(), &vec![0; many]].concat();
    packed("sort", SectionKind::Sort, (n, n), [1, n, 0], &column);
    let columns = b"\x01a\x01\x00".repeat(64);
    packed("columns", SectionKind::Sort, (1, 1), [64, 1, 0], &columns);

    let signed = Signed::new(n, n);
    hold("offsets", &signed, SectionKind::Offsets, 4 * (many + 1));
    hold("vectors", &signed, SectionKind::Vectors, 6 * many);
    let mut manifest = signed.json();
    manifest.truncate(manifest.len() - 2);
    let entry = br#",{"kind":"x","first":0,"count":0,"file":"","bytes":0,"sha256":""}"#;
    manifest.extend(entry.repeat(30_000));
    manifest.extend(b"]}");
    let (opened, taken) = peak(|| Index::open(&manifest).is_ok());
    println!("manifest: {} bytes, peak {taken}, {opened}", manifest.len());
    assert!(taken <= TIMES_PAYLOAD * manifest.len() + MIB);

    let kind = SectionKind::Lexicon;
    let plain = [&[0], vec![1; many].as_slice()].concat();
    packed("lengths", kind, (1, n), [n, 0, 0], &plain);
    let plain = [&[0], b"\xff\xff\x03".repeat(many).as_slice()].concat();
    packed("long lengths", kind, (1, n), [n, 0, 0], &plain);
    let mut plain = vec![0];
    for number in 0..100_000u32 {
        let text: Vec<u8> = [12, 6, 0]
            .map(|by| b' ' + (number >> by & 0x3f) as u8)
            .to_vec();
        plain.extend(numbers(&[text.len()]));
        plain.extend_from_slice(&text);
        plain.push(1);
    }
    plain.push(1);
    packed("shards", kind, (1, 1), [1, 100_000, 100_000], &plain);

    let long = vec![b'a'; MIB];
    let mut dictionary = numbers(&[0, MIB]);
    dictionary.extend_from_slice(&long);
    dictionary.extend(numbers(&[2, 2]));
    for number in 1..n {
        // Each is a mebibyte and more if it is spelled out.
        dictionary.extend(numbers(&[MIB, 4]));
        dictionary.extend([18, 12, 6, 0].map(|by| b' ' + (number >> by & 0x3f) as u8));
        dictionary.extend(numbers(&[2, 2]));
    }
    let mut plain = numbers(&[dictionary.len()]);
    plain.extend_from_slice(&dictionary);
    plain.extend(b"\x00\x01".repeat(many));
    postings("terms that share a mebibyte", &long, n, &plain);

    let mut dictionary = numbers(&[0, 1]);
    dictionary.push(b'a');
    dictionary.extend(numbers(&[2, 2]));
    for number in 1..n {
        dictionary.extend(numbers(&[number as usize, 1]));
        dictionary.push(b'a');
        dictionary.extend(numbers(&[0, 0]));
    }
    let mut plain = numbers(&[dictionary.len()]);
    plain.extend_from_slice(&dictionary);
    plain.extend(b"\x00\x01");
    postings("terms that grow", b"a", n, &plain);

    let list = [&[0][..], &numbers(&[many]), &vec![0; many]].concat();
    let mut dictionary = b"\x00\x01z".to_vec();
    dictionary.extend(numbers(&[3, list.len()]));
    let mut plain = numbers(&[dictionary.len()]);
    plain.extend_from_slice(&dictionary);
    plain.extend_from_slice(&list);
    let index = postings("one list", b"z", 1, &plain).open().unwrap();
    let question = index.question("z", None, true);
    let (ranking, taken) = peak(|| index.rank(&question, None, &RankingRequest::default()));
    println!(
        "a query: list {}, peak {taken}, {}",
        list.len(),
        ranking.is_ok()
    );
    assert!(taken <= 4 * list.len() + MIB);

    let kind = SectionKind::Times;
    packed(
        "passages without dates",
        kind,
        (1, n),
        [n, 0, 0],
        &vec![0; many],
    );
    let plain = [numbers(&[many]), b"\x00\x00".repeat(many)].concat();
    packed("dates of nothing", kind, (1, 1), [1, 0, n], &plain);
    let plain = [numbers(&[many]), b"\x00\x01\x05".repeat(many)].concat();
    packed("dates of one reading", kind, (1, 1), [1, 0, n], &plain);
    let plain = [numbers(&[1, 0, many]), vec![5; many]].concat();
    packed("one date of many readings", kind, (1, 1), [1, 0, 1], &plain);
    for (name, total, plain) in [
        (
            "many dates",
            n,
            [numbers(&[many]), b"\x00\x01\x05".repeat(many)].concat(),
        ),
        (
            "many readings",
            1,
            [numbers(&[1, 0, many]), vec![5; many]].concat(),
        ),
    ] {
        let mut signed = Signed::new(1, 1);
        signed.put(kind, 0, 1, packed_section(kind, [1, 0, total], &plain));
        let index = signed.open().unwrap();
        let (dates, taken) = peak(|| index.dates_of(0));
        println!("reading {name}: {taken} for {}", plain.len());
        assert!(taken <= 2 * MIB && !dates.datings.is_empty());
        let question = index.question("1850", None, false);
        let (_, taken) = peak(|| index.rank(&question, None, &RankingRequest::default()));
        assert!(
            taken <= TIMES_PAYLOAD * plain.len() + MIB,
            "{name}: {taken}"
        );
    }
    packed("more dates than said", kind, (1, 1), [1, 0, 1], &plain);

    let kind = SectionKind::Facets;
    let values = [b"\x00".to_vec(), numbers(&[many]), b"\x01a".repeat(many)].concat();
    let held: Vec<usize> = [many].into_iter().chain(0..many).collect();
    packed(
        "values",
        kind,
        (1, 1),
        [1, 1, 0],
        &[values, numbers(&held)].concat(),
    );
    let plain = [b"\x00\x00".as_slice(), &vec![0; many]].concat();
    packed("documents without values", kind, (n, n), [1, n, 0], &plain);
    let plain = [b"\x00\x01\x01a".as_slice(), &b"\x01\x00".repeat(many)].concat();
    packed("documents with a value", kind, (n, n), [1, n, 0], &plain);
    packed("empty facets", kind, (1, 1), [1024, 1, 0], &[0; 3 * 1024]);
    packed(
        "too many facets",
        kind,
        (1, 1),
        [1025, 1, 0],
        &[0; 3 * 1025],
    );

    let kind = SectionKind::Documents;
    // The encoding of stored documents writes numbers above 250 as 252 and four bytes.
    let claim = |count: u32| [&[252][..], &count.to_le_bytes()].concat();
    let plain = [claim(n), b"\0\0\0\0\0\0\0".repeat(many)].concat();
    packed("empty documents", kind, (n, n), [n, 0, 0], &plain);
    let plain = [
        b"\x01\0\0\0\0\0".to_vec(),
        claim(n),
        vec![0; 2 * many],
        vec![0],
    ]
    .concat();
    packed("empty fields", kind, (1, 1), [1, 0, 0], &plain);
    let plain = [b"\x01\0\0\0\0\0\0".to_vec(), claim(n), vec![0; many]].concat();
    packed("empty passages", kind, (1, 1), [1, 0, 0], &plain);
    let plain = [b"\x01\0\0\0\0\0\0".to_vec(), claim(20_000), vec![0; 20_000]].concat();
    packed("passages within the slack", kind, (1, 1), [1, 0, 0], &plain);
    let text = [&b"\x01\0\0\0\0\0\0\x01"[..], &claim(n), &vec![b'a'; many]].concat();
    packed("one long passage", kind, (1, 1), [1, 0, 0], &text);

    let section = packed_section(SectionKind::Times, [1, 0, 0], &vec![0; 8 * MIB]);
    let mut signed = Signed::new(1, 1);
    signed.put(SectionKind::Times, 0, 1, section);
    hold("zeros", &signed, SectionKind::Times, 8 * MIB);
    let lie = plain_section(
        SectionKind::Times,
        [64 * MIB as u32, 1, 0, 0],
        &vec![0x1f; MIB],
    );
    signed.put(SectionKind::Times, 0, 1, lie);
    hold("a size that lies", &signed, SectionKind::Times, MIB);
}
