//! Builds and searches a large synthetic index and says what that takes.
//!
//!     cargo run --release -p almanac --no-default-features --example scale -- 1000000 [FOLDER]
//!
//! Texts are drawn word by word from the shipped museum collection, so that common and rare words
//! keep their shares; dates are spread over five centuries; vectors are random.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

use almanac::index::{
    Calibration, Document, Index, IndexEntry, IndexWriter, Int8Vector, ModelBinding, PassageDate,
    Prefilter, SortSource,
};
use almanac::search::RankingRequest;
use almanac::text::Stemming;
use almanac::time::{Dating, Interval, Role, Year};

const DIMENSIONS: usize = 384;
const WORDS_A_PASSAGE: usize = 24;
const QUERIES: [&str; 5] = [
    "portrait of a woman",
    "woodblock print before 1800",
    "glass bowl 1920s",
    "\"gelatin silver print\"",
    "1850s",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let passages: u32 = arguments.next().map_or(Ok(100_000), |n| n.parse())?;
    let folder = arguments.next().map(PathBuf::from);
    let scratch = std::env::temp_dir().join(format!("almanac-scale-{}", std::process::id()));
    let folder_given = folder.is_some();
    let folder = folder.unwrap_or(scratch);
    let words = words()?;
    let mut random = Random(42);

    let started = Instant::now();
    let labels = vec!["Kind".to_owned()];
    let mut writer = IndexWriter::create(&folder, DIMENSIONS, Stemming::None, labels)?
        .with_signs()
        .with_sort(vec![SortSource::Title]);
    for number in 0..passages {
        writer.add(entry(number, &words, &mut random))?;
        if number % 100_000 == 99_999 {
            eprintln!("{} passages, {} MiB", number + 1, peak_mebibytes());
        }
    }
    let model = ModelBinding {
        id: "synthetic".to_owned(),
        dimensions: DIMENSIONS as u32,
        tokenizer_sha256: "0".repeat(64),
    };
    // Random vectors have no neighbors to find: only the time of signs says something here.
    let calibration = Calibration {
        prefilter: Some(Prefilter {
            candidates: (passages / 64).max(1),
            recall_at_10: 0.0,
        }),
        ..Calibration::default()
    };
    let summary = writer.publish("Synthetic", model, calibration)?;
    println!(
        "{passages} passages written in {:.1} s, {} files, {:.1} MiB, {:.0} bytes a passage; at \
         most {} MiB of memory",
        started.elapsed().as_secs_f64(),
        summary.manifest.files.len() + 1,
        summary.bytes as f64 / 1_048_576.0,
        summary.bytes as f64 / f64::from(passages),
        peak_mebibytes()
    );
    drop(words);
    search(&folder, &mut random)?;
    if !folder_given {
        std::fs::remove_dir_all(&folder)?;
    }
    Ok(())
}

fn search(folder: &Path, random: &mut Random) -> Result<(), Box<dyn std::error::Error>> {
    let started = Instant::now();
    let index = Index::open_folder(folder)?;
    println!("opened in {:.1} s", started.elapsed().as_secs_f64());
    for query in QUERIES {
        let question = index.question(query, None, false);
        let vector = unit(random);
        let vector = (!question.meaning_text().is_empty()).then_some(vector.as_slice());
        let time = |exact: bool| -> almanac::Result<f64> {
            let request = RankingRequest {
                k: 10,
                exact,
                ..RankingRequest::default()
            };
            let mut taken: Vec<f64> = (0..5)
                .map(|_| {
                    let started = Instant::now();
                    let ranking = index.rank(&question, vector, &request)?;
                    assert!(!ranking.hits.is_empty(), "{query}");
                    Ok(started.elapsed().as_secs_f64() * 1e3)
                })
                .collect::<almanac::Result<_>>()?;
            taken.sort_by(f64::total_cmp);
            Ok(taken[2])
        };
        println!(
            "{query:<30} exact {:.1} ms, by signs {:.1} ms (medians of 5)",
            time(true)?,
            time(false)?
        );
    }
    let question = index.question("", None, false);
    let mut least = |exact: bool| -> almanac::Result<f64> {
        let request = RankingRequest {
            k: 10,
            exact,
            ..RankingRequest::default()
        };
        let mut least = f64::INFINITY;
        for _ in 0..20 {
            let vector = unit(random);
            let started = Instant::now();
            index.rank(&question, Some(&vector), &request)?;
            least = least.min(started.elapsed().as_secs_f64() * 1e3);
        }
        Ok(least)
    };
    println!(
        "meaning alone: exact {:.1} ms, by signs {:.1} ms (least of 20)",
        least(true)?,
        least(false)?
    );
    println!("at most {} MiB of memory in all", peak_mebibytes());
    Ok(())
}

fn entry(number: u32, words: &[String], random: &mut Random) -> IndexEntry {
    let text: Vec<&str> = (0..WORDS_A_PASSAGE)
        .map(|_| words[random.below(words.len())].as_str())
        .collect();
    let text = text.join(" ");
    let year = 1500 + random.below(500) as i64;
    let length = random.below(30) as i64;
    let reading = Interval::years(Year(year), Year(year + length));
    let date = PassageDate {
        dating: Dating {
            readings: reading.into_iter().collect(),
            arc: None,
            role: Role::Created,
        },
        catalogue: true,
        cue: None,
    };
    IndexEntry {
        vectors: vec![Int8Vector::quantize(&unit(random))],
        dates: vec![vec![date]],
        words: Vec::new(),
        facets: vec![vec![format!("kind {}", random.below(20))]],
        document: Document {
            id: number.to_string(),
            title: text.chars().take(40).collect(),
            date: Some(year.to_string()),
            passages: vec![text],
            ..Document::default()
        },
    }
}

/// The words of the shipped collection, each as often as it stands there.
fn words() -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../collections/cmoa/objects.jsonl.gz");
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path)?).read_to_string(&mut text)?;
    let mut words = Vec::new();
    for line in text.lines() {
        let object: serde_json::Value = serde_json::from_str(line)?;
        for field in ["title", "medium", "classification", "credit_line"] {
            let value = object[field].as_str().unwrap_or_default();
            words.extend(value.split_whitespace().map(str::to_owned));
        }
    }
    Ok(words)
}

fn unit(random: &mut Random) -> Vec<f32> {
    let mut vector: Vec<f32> = (0..DIMENSIONS)
        .map(|_| (random.next() >> 40) as f32 / 8_388_608.0 - 1.0)
        .collect();
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    vector.iter_mut().for_each(|x| *x /= length);
    vector
}

/// The most memory this process has held, by the kernel's account; 0 where it gives none.
fn peak_mebibytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    kibibytes.unwrap_or(0) / 1024
}

/// Source: G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (2003), 64 bits.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }
}
