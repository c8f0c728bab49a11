//! Running other programs: with their output passed through, collected, or replaced by a sign of life.

use std::io::{BufRead, BufReader, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};

use crate::plan::seconds;

/// How often a silent step says that it is alive when stderr is not a terminal.
const SIGN_OF_LIFE: Duration = Duration::from_secs(30);

/// How many of the last lines a failed silent program is quoted with.
const QUOTED_LINES: usize = 30;

/// Runs a program with its output passed through.
///
/// # Errors
/// When it cannot be started, or ends with a status other than 0.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| cannot_start(command))?;
    succeeded(command, status)
}

/// Runs a program and returns what it printed on stdout.
///
/// # Errors
/// When it cannot be started, ends with a status other than 0 (with the first line of its stderr),
/// or prints no UTF-8.
pub fn capture(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| cannot_start(command))?;
    succeeded(command, output.status).map_err(|error| {
        let complaint = String::from_utf8_lossy(&output.stderr);
        error.context(complaint.lines().next().unwrap_or_default().to_owned())
    })?;
    String::from_utf8(output.stdout).with_context(|| format!("{}: not UTF-8", describe(command)))
}

/// Whether a program starts and ends with status 0; it prints nothing.
pub fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Runs a program, passes its stdout through line by line and returns it too.
///
/// # Errors
/// As [`run`].
pub fn tee(command: &mut Command) -> Result<String> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| cannot_start(command))?;
    let mut collected = String::new();
    if let Some(stdout) = child.stdout.take() {
        let mut lines = BufReader::new(stdout);
        let mut line = Vec::new();
        let mut out = std::io::stdout();
        while lines
            .read_until(b'\n', &mut line)
            .is_ok_and(|read| read > 0)
        {
            // A closed stdout must not end the tests.
            let _ = out.write_all(&line).and_then(|()| out.flush());
            collected.push_str(&String::from_utf8_lossy(&line));
            line.clear();
        }
    }
    let status = child.wait().with_context(|| cannot_start(command))?;
    succeeded(command, status)?;
    Ok(collected)
}

/// Runs a program that says little, with a sign of life instead of its output, which is quoted on
/// failure.
///
/// # Errors
/// As [`run`], and when `limit` is over: the program is then ended.
pub fn quietly(command: &mut Command, label: &str, limit: Option<Duration>) -> Result<()> {
    let alive = SignOfLife::start(label);
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| cannot_start(command))?;
    let stdout = child.stdout.take().map(collect);
    let stderr = child.stderr.take().map(collect);
    let ended = wait(&mut child, limit).with_context(|| describe(command))?;
    drop(alive);
    let Some(status) = ended else {
        bail!(
            "{}: no end after {}",
            describe(command),
            seconds(limit.unwrap_or_default())
        );
    };
    if status.success() {
        return Ok(());
    }
    for collected in [stdout, stderr].into_iter().flatten() {
        let text = collected.join().unwrap_or_default();
        let lines: Vec<_> = text.lines().collect();
        for line in &lines[lines.len().saturating_sub(QUOTED_LINES)..] {
            eprintln!("    {line}");
        }
    }
    succeeded(command, status)
}

fn collect(mut pipe: impl Read + Send + 'static) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before a failure is still worth quoting.
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn wait(child: &mut Child, limit: Option<Duration>) -> Result<Option<ExitStatus>> {
    let Some(limit) = limit else {
        return Ok(Some(child.wait()?));
    };
    let start = Instant::now();
    while start.elapsed() < limit {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(Duration::from_millis(50));
    }
    child.kill()?;
    child.wait()?;
    Ok(None)
}

fn succeeded(command: &Command, status: ExitStatus) -> Result<()> {
    if status.success() {
        return Ok(());
    }
    match status.code() {
        Some(code) => bail!("`{}` ended with status {code}", describe(command)),
        None => bail!("`{}` was ended by a signal", describe(command)),
    }
}

fn cannot_start(command: &Command) -> String {
    format!("cannot start `{}`", describe(command))
}

/// The command as a person would type it, without the folder of the program.
fn describe(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let mut text = program
        .file_name()
        .unwrap_or(program.as_os_str())
        .to_string_lossy()
        .into_owned();
    for argument in command.get_args() {
        text.push(' ');
        text.push_str(&argument.to_string_lossy());
    }
    text
}

/// The program of this name in `PATH`.
pub fn find_program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&path)
        .map(|folder| folder.join(&file))
        .find(|candidate| is_executable(candidate))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// Shows that a silent step is at work: a spinner on a terminal, a line now and then elsewhere.
/// It ends when dropped.
pub struct SignOfLife {
    bar: ProgressBar,
    ticker: Option<(Sender<()>, JoinHandle<()>)>,
}

impl SignOfLife {
    /// Starts it with a few words on what is being done.
    pub fn start(label: &str) -> Self {
        if std::io::stderr().is_terminal() {
            let bar = ProgressBar::new_spinner().with_message(label.to_owned());
            if let Ok(style) = ProgressStyle::with_template("    {spinner} {msg} ({elapsed})") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(120));
            return Self { bar, ticker: None };
        }
        let (stop, stopped) = mpsc::channel();
        let label = label.to_owned();
        let start = Instant::now();
        let thread = thread::spawn(move || {
            while stopped.recv_timeout(SIGN_OF_LIFE) == Err(RecvTimeoutError::Timeout) {
                eprintln!("    {label} ({})", seconds(start.elapsed()));
            }
        });
        Self {
            bar: ProgressBar::hidden(),
            ticker: Some((stop, thread)),
        }
    }
}

impl Drop for SignOfLife {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
        if let Some((stop, thread)) = self.ticker.take() {
            drop(stop);
            // A panic of the ticker has been printed and harms nothing.
            let _ = thread.join();
        }
    }
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.arg("-c").arg(script);
        command
    }

    #[test]
    fn failed_program_is_named_with_its_status() {
        let error = run(&mut shell("exit 3")).unwrap_err().to_string();
        assert_eq!(error, "`sh -c exit 3` ended with status 3");
    }

    #[test]
    fn missing_program_is_an_error_that_names_it() {
        let error = run(&mut Command::new("/nowhere/almanac-none")).unwrap_err();
        assert!(error.to_string().contains("almanac-none"), "{error}");
    }

    #[test]
    fn program_over_its_time_is_ended() {
        let start = Instant::now();
        let result = quietly(
            &mut shell("exec sleep 30"),
            "asleep",
            Some(Duration::from_millis(200)),
        );
        assert!(result.unwrap_err().to_string().contains("no end after"));
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn teed_output_is_returned() {
        assert_eq!(tee(&mut shell("echo one; echo two")).unwrap(), "one\ntwo\n");
    }

    #[test]
    fn program_is_found_in_path() {
        assert!(find_program("sh").is_some());
        assert!(find_program("almanac-no-such-program").is_none());
    }
}
