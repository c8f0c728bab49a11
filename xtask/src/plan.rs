//! A list of numbered steps with what each costs, run in order and summed up in a table.

use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};

/// How a step ended well.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It did its work; with a few words on the result.
    Done(Vec<String>),
    /// Nothing had changed since the last run.
    Unchanged,
    /// It was left out, for this reason.
    Skipped(String),
}

/// Work done, without a word on it.
pub fn done() -> Outcome {
    Outcome::Done(Vec::new())
}

/// What a step is expected to take on a machine of two cores.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Cost {
    /// Minutes of work.
    pub minutes: f32,
    /// Megabytes to download.
    pub megabytes: u32,
}

type Work<'a> = Box<dyn FnOnce() -> Result<Outcome> + 'a>;

struct Step<'a> {
    title: String,
    cost: Option<Cost>,
    work: Work<'a>,
}

/// Steps to run in order.
#[derive(Default)]
pub struct Plan<'a> {
    steps: Vec<Step<'a>>,
}

struct Row {
    title: String,
    verdict: String,
    time: Option<Duration>,
    notes: Vec<String>,
}

impl<'a> Plan<'a> {
    /// Adds a step. `cost` is what it will take now, or nothing when it is known to be done already.
    pub fn step(
        &mut self,
        title: impl Into<String>,
        cost: Option<Cost>,
        work: impl FnOnce() -> Result<Outcome> + 'a,
    ) {
        self.steps.push(Step {
            title: title.into(),
            cost,
            work: Box::new(work),
        });
    }

    /// Says what the whole will take, step by step.
    pub fn announce(&self, name: &str, offline: bool) {
        eprintln!("{}", self.announcement(name, offline));
    }

    fn announcement(&self, name: &str, offline: bool) -> String {
        let due: Vec<_> = self
            .steps
            .iter()
            .enumerate()
            .filter_map(|(index, step)| step.cost.map(|cost| (index, step, cost)))
            .map(|(index, step, cost)| {
                let megabytes = if offline { 0 } else { cost.megabytes };
                (index, step, Cost { megabytes, ..cost })
            })
            .collect();
        let minutes: f32 = due.iter().map(|(_, _, cost)| cost.minutes).sum();
        let megabytes: u32 = due.iter().map(|(_, _, cost)| cost.megabytes).sum();
        if due.is_empty() {
            return format!("{name}: nothing to build or download");
        }
        let mut text = format!(
            "{name}: about {} on a machine of two cores, {} to download",
            about(minutes),
            if megabytes == 0 {
                "nothing".to_owned()
            } else {
                format!("about {megabytes} MB")
            }
        );
        for (index, step, cost) in due {
            text.push_str(&format!(
                "\n  {:>2}. {}: {}",
                index + 1,
                step.title,
                about(cost.minutes)
            ));
            if cost.megabytes > 0 {
                text.push_str(&format!(", {} MB", cost.megabytes));
            }
        }
        text
    }

    /// Runs the steps up to the first that fails, and prints a table of all of them.
    ///
    /// # Errors
    /// The first step's that fails, with its title.
    pub fn run(self, name: &str) -> Result<()> {
        let start = Instant::now();
        let total = self.steps.len();
        let mut rows = Vec::new();
        let mut failure = None;
        for (index, step) in self.steps.into_iter().enumerate() {
            if failure.is_some() {
                rows.push(Row {
                    title: step.title,
                    verdict: "not run".into(),
                    time: None,
                    notes: Vec::new(),
                });
                continue;
            }
            eprintln!(
                "[{}/{total}] {} (at {})",
                index + 1,
                step.title,
                seconds(start.elapsed())
            );
            let began = Instant::now();
            let (verdict, notes) = match (step.work)() {
                Ok(Outcome::Done(notes)) => ("done".to_owned(), notes),
                Ok(Outcome::Unchanged) => ("unchanged".to_owned(), Vec::new()),
                Ok(Outcome::Skipped(reason)) => (format!("skipped: {reason}"), Vec::new()),
                Err(error) => {
                    failure = Some(error.context(step.title.clone()));
                    ("FAILED".to_owned(), Vec::new())
                }
            };
            eprintln!("    {verdict} in {}", seconds(began.elapsed()));
            rows.push(Row {
                title: step.title,
                verdict,
                time: Some(began.elapsed()),
                notes,
            });
        }
        eprint!("\n{}", table(name, &rows, start.elapsed()));
        failure.map_or(Ok(()), Err)
    }
}

fn table(name: &str, rows: &[Row], total: Duration) -> String {
    let width = rows
        .iter()
        .map(|row| row.title.chars().count())
        .max()
        .unwrap_or(0);
    let mut text = format!("{name}: {}\n", seconds(total));
    for row in rows {
        let time = row.time.map_or_else(|| "-".to_owned(), seconds);
        text.push_str(&format!(
            "  {:<width$}  {time:>12}  {}\n",
            row.title, row.verdict
        ));
        for note in &row.notes {
            text.push_str(&format!("  {:<width$}  {:>12}  {note}\n", "", ""));
        }
    }
    text
}

/// A duration as people say it: `0.4 s`, `12 s`, `3 min 5 s`.
pub fn seconds(duration: Duration) -> String {
    let whole = duration.as_secs();
    match whole {
        0..10 => format!("{:.1} s", duration.as_secs_f32()),
        10..60 => format!("{whole} s"),
        _ => format!("{} min {} s", whole / 60, whole % 60),
    }
}

fn about(minutes: f32) -> String {
    if minutes < 1.0 {
        "less than a minute".to_owned()
    } else {
        format!("{} min", minutes.ceil())
    }
}

/// An error for a thing that is missing and may not be fetched.
pub fn missing_offline(what: &str, way_out: &str) -> anyhow::Error {
    anyhow!("--offline: {what} is not on this machine; {way_out}")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn steps_after_a_failure_do_not_run() {
        let ran = Cell::new(0);
        let mut plan = Plan::default();
        plan.step("first", None, || {
            ran.set(ran.get() + 1);
            Ok(done())
        });
        plan.step("second", None, || Err(anyhow!("broken")));
        plan.step("third", None, || {
            ran.set(ran.get() + 1);
            Ok(done())
        });
        let error = format!("{:#}", plan.run("all").unwrap_err());
        assert_eq!(ran.get(), 1);
        assert_eq!(error, "second: broken");
    }

    #[test]
    fn announcement_sums_only_what_is_due() {
        let cost = |minutes, megabytes| Some(Cost { minutes, megabytes });
        let mut plan = Plan::default();
        plan.step("a", cost(2.0, 30), || Ok(done()));
        plan.step("b", None, || Ok(done()));
        plan.step("c", cost(9.5, 0), || Ok(done()));
        assert_eq!(
            plan.announcement("demo", false),
            "demo: about 12 min on a machine of two cores, about 30 MB to download\n   \
             1. a: 2 min, 30 MB\n   3. c: 10 min"
        );
        let offline = plan.announcement("demo", true);
        assert!(offline.contains("nothing to download"), "{offline}");
        assert_eq!(
            Plan::default().announcement("demo", false),
            "demo: nothing to build or download"
        );
    }

    #[test]
    fn durations_read_as_people_say_them() {
        let said = |millis| seconds(Duration::from_millis(millis));
        assert_eq!(said(460), "0.5 s");
        assert_eq!(said(12_999), "12 s");
        assert_eq!(said(185_000), "3 min 5 s");
    }

    #[test]
    fn table_shows_every_row_with_its_notes() {
        let rows = [
            Row {
                title: "tests".into(),
                verdict: "done".into(),
                time: Some(Duration::from_secs(61)),
                notes: vec!["3 passed".into()],
            },
            Row {
                title: "browser".into(),
                verdict: "not run".into(),
                time: None,
                notes: vec![],
            },
        ];
        let text = table("test", &rows, Duration::from_secs(61));
        assert!(text.contains("1 min 1 s  done"), "{text}");
        assert!(text.contains("3 passed"), "{text}");
        assert!(text.contains("-  not run"), "{text}");
    }
}
