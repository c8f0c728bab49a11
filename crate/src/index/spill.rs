//! Postings that outgrow memory: sorted runs in temporary files, merged when the index is published.
//!
//! A run holds terms in order, each with its list as the index will hold it; later runs hold later
//! passages, so the lists of a term are joined by putting one after the other.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use super::postings::PostingList;
use crate::{Error, Result};

/// Runs of postings on disk; their files are removed with this.
#[derive(Debug)]
pub(super) struct Spill {
    folder: PathBuf,
    runs: Vec<PathBuf>,
}

impl Drop for Spill {
    fn drop(&mut self) {
        for run in &self.runs {
            // A leftover is overwritten by the next build.
            let _ = std::fs::remove_file(run);
        }
    }
}

impl Spill {
    /// Starts without a run; runs will lie in `folder`.
    pub(super) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            runs: Vec::new(),
        }
    }

    /// Writes a run of terms in order; their passages come after those of earlier runs.
    pub(super) fn write(&mut self, lists: Vec<(String, PostingList)>) -> Result<()> {
        let path = self
            .folder
            .join(format!("postings-{}.run", self.runs.len()));
        self.runs.push(path.clone());
        let write = || -> std::io::Result<()> {
            let mut out = BufWriter::new(File::create(&path)?);
            for (term, list) in lists {
                let mut bytes = Vec::new();
                list.put(&mut bytes);
                for number in [
                    term.len() as u64,
                    (list.len() as u64) << 1 | u64::from(list.positional()),
                    bytes.len() as u64,
                ] {
                    out.write_all(&number.to_le_bytes())?;
                }
                out.write_all(term.as_bytes())?;
                out.write_all(&bytes)?;
            }
            out.flush()
        };
        write().map_err(|e| Error::io(&path, &e))
    }

    /// Gives all terms in order, each once, with its whole list; `last` are the lists after the last
    /// run and `passages` the number of all passages.
    pub(super) fn merge(
        &self,
        last: Vec<(String, PostingList)>,
        passages: u32,
        mut each: impl FnMut(&str, &PostingList) -> Result<()>,
    ) -> Result<()> {
        let mut runs = Vec::with_capacity(self.runs.len());
        for path in &self.runs {
            let file = File::open(path).map_err(|e| Error::io(path, &e))?;
            let mut run = Run {
                path,
                file: BufReader::new(file),
                next: None,
                passages,
            };
            run.advance()?;
            runs.push(run);
        }
        let mut last = last.into_iter().peekable();
        loop {
            let terms = runs.iter().filter_map(|run| Some(&run.next.as_ref()?.0));
            let Some(term) = terms
                .chain(last.peek().map(|(term, _)| term))
                .min()
                .cloned()
            else {
                return Ok(());
            };
            let mut whole: Option<PostingList> = None;
            let mut join = |list: PostingList| match &mut whole {
                Some(whole) => whole.append(&list),
                None => whole = Some(list),
            };
            for run in &mut runs {
                if let Some((_, list)) = run.next.take_if(|(next, _)| *next == term) {
                    join(list);
                    run.advance()?;
                }
            }
            if let Some((_, list)) = last.next_if(|(next, _)| *next == term) {
                join(list);
            }
            if let Some(whole) = whole {
                each(&term, &whole)?;
            }
        }
    }
}

/// A run that is read again.
struct Run<'a> {
    path: &'a Path,
    file: BufReader<File>,
    next: Option<(String, PostingList)>,
    passages: u32,
}

impl Run<'_> {
    fn advance(&mut self) -> Result<()> {
        self.next = self
            .read()
            .map_err(|e| e.in_place(self.path.display().to_string()))?;
        Ok(())
    }

    fn read(&mut self) -> Result<Option<(String, PostingList)>> {
        let broken = |e: std::io::Error| Error::io(Path::new("a run of postings"), &e);
        if std::io::BufRead::fill_buf(&mut self.file)
            .map_err(broken)?
            .is_empty()
        {
            return Ok(None);
        }
        let mut number = || -> Result<u64> {
            let mut eight = [0; 8];
            self.file.read_exact(&mut eight).map_err(broken)?;
            Ok(u64::from_le_bytes(eight))
        };
        let (term, head, bytes) = (number()?, number()?, number()?);
        let mut take = |count: u64| -> Result<Vec<u8>> {
            let mut out = Vec::new();
            let found = self
                .file
                .by_ref()
                .take(count)
                .read_to_end(&mut out)
                .map_err(broken)?;
            match found as u64 == count {
                true => Ok(out),
                false => Err(Error::corrupt("a run of postings was cut short")),
            }
        };
        let term = String::from_utf8(take(term)?).map_err(|e| Error::corrupt(e.to_string()))?;
        let list = take(bytes)?;
        let list = PostingList::read(&list, (head >> 1) as u32, head & 1 == 1, self.passages)?;
        Ok(Some((term, list)))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn runs_join_to_what_one_list_would_hold(
            passages in proptest::collection::vec(proptest::collection::vec("[a-c]{1,2}", 0..6), 0..30),
            cuts in proptest::collection::vec(1usize..8, 0..6),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let mut spill = Spill::new(folder.path());
            let mut whole: BTreeMap<String, PostingList> = BTreeMap::new();
            let mut part: BTreeMap<String, PostingList> = BTreeMap::new();
            let mut cuts = cuts.into_iter();
            let mut next_cut = cuts.next();
            for (passage, terms) in (0..).zip(&passages) {
                for (place, term) in (0..).zip(terms) {
                    for lists in [&mut whole, &mut part] {
                        let positional = term.len() == 1;
                        lists.entry(term.clone()).or_insert_with(|| PostingList::new(positional)).push(passage, place);
                    }
                }
                next_cut = match next_cut {
                    Some(1) => {
                        spill.write(std::mem::take(&mut part).into_iter().collect()).unwrap();
                        cuts.next()
                    }
                    other => other.map(|left| left - 1),
                };
            }
            let mut merged = Vec::new();
            spill.merge(part.into_iter().collect(), 30, |term, list| {
                merged.push((term.to_owned(), list.clone()));
                Ok(())
            }).unwrap();
            prop_assert_eq!(merged, whole.into_iter().collect::<Vec<_>>());
            drop(spill);
            prop_assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }

    #[test]
    fn a_run_cut_short_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let mut spill = Spill::new(folder.path());
        let mut list = PostingList::new(true);
        list.push(3, 1);
        spill.write(vec![("bowl".to_owned(), list)]).unwrap();
        let path = folder.path().join("postings-0.run");
        let whole = std::fs::read(&path).unwrap();
        for length in 1..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            assert!(
                spill.merge(Vec::new(), 9, |_, _| Ok(())).is_err(),
                "{length}"
            );
        }
    }
}
