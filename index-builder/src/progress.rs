//! How far a long piece of work is, on stderr.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How often a log without a terminal gets a line.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// A bar on a terminal, a line now and then elsewhere.
pub struct Progress {
    label: &'static str,
    bar: Option<ProgressBar>,
    total: usize,
    done: usize,
    started: Instant,
    last_line: Instant,
}

impl Progress {
    /// Prepares to report work called `label`; nothing shows before [`Self::start`].
    pub fn new(label: &'static str) -> Self {
        Self {
            label,
            bar: None,
            total: 0,
            done: 0,
            started: Instant::now(),
            last_line: Instant::now(),
        }
    }

    /// Starts counting to `total` passages.
    pub fn start(&mut self, total: usize) {
        self.total = total;
        self.done = 0;
        self.started = Instant::now();
        self.last_line = self.started;
        if total > 0 && std::io::stderr().is_terminal() {
            let bar = ProgressBar::new(total as u64);
            let style = ProgressStyle::with_template(
                "{prefix} {wide_bar} {human_pos}/{human_len} passages, {per_sec}, {eta} left",
            );
            if let Ok(style) = style {
                bar.set_style(style);
            }
            bar.set_prefix(self.label);
            bar.enable_steady_tick(Duration::from_millis(250));
            self.bar = Some(bar);
        }
    }

    /// Reports `passages` more done.
    pub fn advance(&mut self, passages: usize) {
        self.done += passages;
        if let Some(bar) = &self.bar {
            bar.set_position(self.done as u64);
        } else if self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Instant::now();
            let rate = self.rate();
            let left = (self.total - self.done.min(self.total)) as f64 / rate.max(1e-9);
            eprintln!(
                "{}: {} of {} passages, {rate:.0} a second, about {left:.0} s left",
                self.label, self.done, self.total
            );
        }
    }

    /// Ends the report.
    pub fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    /// Gives passages per second since the start.
    fn rate(&self) -> f64 {
        self.done as f64 / self.started.elapsed().as_secs_f64().max(1e-9)
    }
}
