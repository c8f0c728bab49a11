//! The Rust standard library's source from a Debian-like distribution's archive.
//!
//! The mirror is the one the machine already uses; lists and downloads stay in a private folder, so
//! the system's own package state is neither read for versions nor changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::hash;
use crate::process;

/// One entry of apt's configuration: where packages come from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Source {
    uris: Vec<String>,
    suites: Vec<String>,
    /// Value of `Signed-By`: a key file, or a key block of several lines.
    signed_by: Option<String>,
}

/// Finds a package that holds the source of exactly this version of the standard library, unpacks
/// it below `scratch` and returns its `library` folder.
///
/// # Errors
/// When the machine has no apt, or no suite of its mirrors has this version.
pub fn fetch_source(version: &str, scratch: &Path) -> Result<PathBuf> {
    for program in ["apt-get", "apt-cache", "dpkg-deb"] {
        if process::find_program(program).is_none() {
            bail!("no {program} on this machine");
        }
    }
    let release = fs::read_to_string("/etc/os-release").context("/etc/os-release: cannot read")?;
    let codename =
        codename(&release).context("/etc/os-release: no VERSION_CODENAME to choose a suite by")?;
    let sources = configured_sources(Path::new("/etc/apt"))?;
    let candidates = candidates(&sources, &codename);
    if candidates.is_empty() {
        bail!("/etc/apt: no entry for the suite {codename}");
    }
    let apt = Apt::new(scratch)?;
    for candidate in &candidates {
        if let Some(library) = apt.try_suite(candidate, version)? {
            return Ok(library);
        }
    }
    let suites: Vec<_> = candidates
        .iter()
        .flat_map(|candidate| candidate.suites.iter().map(String::as_str))
        .collect();
    bail!("no package with it in the suites {}", suites.join(", "))
}

/// Names of the packages that distributions put the standard library's source in.
fn package_names(version: &str) -> Vec<String> {
    let mut names = vec!["rust-src".to_owned(), "rust-web-src".to_owned()];
    let mut numbers = version.split('.');
    if let (Some(major), Some(minor)) = (numbers.next(), numbers.next()) {
        names.push(format!("rust-{major}.{minor}-src"));
    }
    names
}

/// A private apt: its own list of sources, its own state and cache.
struct Apt {
    folder: PathBuf,
}

impl Apt {
    fn new(scratch: &Path) -> Result<Self> {
        let folder = scratch.join("apt");
        for part in ["lists/partial", "archives/partial", "parts", "download"] {
            fs::create_dir_all(folder.join(part))
                .with_context(|| format!("{}: cannot make the folder", folder.display()))?;
        }
        Ok(Self { folder })
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder.join("download"));
        for (option, value) in [
            ("Dir::Etc::SourceList", "private.sources"),
            ("Dir::Etc::SourceParts", "parts"),
            ("Dir::State::Lists", "lists"),
            ("Dir::Cache", ""),
            ("Dir::Cache::Archives", "archives"),
        ] {
            let value = self.folder.join(value);
            command
                .arg("-o")
                .arg(format!("{option}={}", value.display()));
        }
        for option in [
            "Dir::Cache::pkgcache=",
            "Dir::Cache::srcpkgcache=",
            "Acquire::Languages=none",
            "Acquire::Retries=1",
            "Acquire::http::Timeout=20",
            "Acquire::https::Timeout=20",
            "APT::Sandbox::User=root",
            "APT::Update::Post-Invoke-Success::=true",
            "APT::Update::Error-Mode=any",
        ] {
            command.arg("-o").arg(option);
        }
        command
    }

    /// Looks for the version in one suite; an unreachable or unknown suite counts as without it.
    fn try_suite(&self, source: &Source, version: &str) -> Result<Option<PathBuf>> {
        let suite = source.suites.join(" ");
        fs::write(self.folder.join("private.sources"), stanza(source))
            .context("cannot write the private list of sources")?;
        let update = process::quietly(
            self.command("apt-get").args(["update", "--quiet"]),
            &format!("reading the package list of {suite}"),
            None,
        );
        if let Err(error) = update {
            eprintln!("    {suite}: {}", error.root_cause());
            return Ok(None);
        }
        for package in package_names(version) {
            let known = process::capture(self.command("apt-cache").args(["madison", &package]))
                .unwrap_or_default();
            let Some(found) = matching_version(&known, version) else {
                continue;
            };
            process::quietly(
                self.command("apt-get").args([
                    "download",
                    "--quiet",
                    &format!("{package}={found}"),
                ]),
                &format!("downloading {package} {found} from {suite}"),
                None,
            )?;
            return self.unpack().map(Some);
        }
        Ok(None)
    }

    fn unpack(&self) -> Result<PathBuf> {
        let downloads = self.folder.join("download");
        let package = hash::files_below(&downloads, &[])?
            .into_iter()
            .find(|file| file.extension().is_some_and(|extension| extension == "deb"))
            .context("apt-get download left no package")?;
        let unpacked = self.folder.join("unpacked");
        process::run(
            Command::new("dpkg-deb")
                .arg("-x")
                .arg(downloads.join(&package))
                .arg(&unpacked),
        )?;
        hash::files_below(&unpacked, &[])?
            .into_iter()
            .find_map(|file| {
                let library = unpacked.join(file.parent()?.parent()?);
                (file.ends_with("library/std/Cargo.toml") && library.join("core").is_dir())
                    .then_some(library)
            })
            .with_context(|| format!("{}: holds no standard library", package.display()))
    }
}

/// All entries of apt's configuration below `folder`.
fn configured_sources(folder: &Path) -> Result<Vec<Source>> {
    let mut files = vec![folder.join("sources.list")];
    let parts = folder.join("sources.list.d");
    let mut names = hash::files_below(&parts, &[])?;
    names.sort();
    files.extend(names.into_iter().map(|name| parts.join(name)));
    let mut sources = Vec::new();
    for file in files {
        let Ok(text) = fs::read_to_string(&file) else {
            continue;
        };
        match file.extension().and_then(|extension| extension.to_str()) {
            Some("list") => sources.extend(parse_one_line(&text)),
            Some("sources") => sources.extend(parse_deb822(&text)),
            _ => {}
        }
    }
    Ok(sources)
}

/// Entries of a `.list` file: `deb [options] uri suite component…`.
///
/// Source: sources.list(5), "one-line-style format".
fn parse_one_line(text: &str) -> Vec<Source> {
    let entry = |line: &str| {
        let line = line.split('#').next()?.trim();
        let rest = line.strip_prefix("deb")?;
        let rest = rest.strip_prefix([' ', '\t'])?.trim_start();
        let (options, rest) = match rest.strip_prefix('[') {
            Some(inner) => inner.split_once(']')?,
            None => ("", rest),
        };
        let mut words = rest.split_whitespace();
        Some(Source {
            uris: vec![words.next()?.to_owned()],
            suites: vec![words.next()?.to_owned()],
            signed_by: options
                .split_whitespace()
                .find_map(|option| option.strip_prefix("signed-by="))
                .map(str::to_owned),
        })
    };
    text.lines().filter_map(entry).collect()
}

/// Entries of a `.sources` file: stanzas of `Field: value`, indented lines going on with the value.
///
/// Source: sources.list(5), "deb822-style format".
fn parse_deb822(text: &str) -> Vec<Source> {
    let mut sources = Vec::new();
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in text.lines().chain([""]) {
        if line.starts_with('#') {
            continue;
        }
        if line.trim().is_empty() {
            sources.extend(from_fields(&std::mem::take(&mut fields)));
        } else if line.starts_with([' ', '\t']) {
            if let Some((_, value)) = fields.last_mut() {
                value.push('\n');
                value.push_str(line);
            }
        } else if let Some((name, value)) = line.split_once(':') {
            fields.push((name.trim().to_lowercase(), value.trim().to_owned()));
        }
    }
    sources
}

fn from_fields(fields: &[(String, String)]) -> Option<Source> {
    let field = |name: &str| {
        fields
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    };
    let words = |name: &str| -> Vec<String> {
        field(name)
            .unwrap_or_default()
            .split_whitespace()
            .map(str::to_owned)
            .collect()
    };
    let binary = words("types").iter().any(|kind| kind == "deb");
    let enabled = field("enabled").is_none_or(|value| !matches!(value, "no" | "false"));
    let source = Source {
        uris: words("uris"),
        suites: words("suites"),
        signed_by: field("signed-by")
            .filter(|value| !value.is_empty())
            .map(str::to_owned),
    };
    (binary && enabled && !source.uris.is_empty() && !source.suites.is_empty()).then_some(source)
}

/// The suites worth asking, smallest package list first: backports, the suite itself, security,
/// then what comes after this release.
fn candidates(sources: &[Source], codename: &str) -> Vec<Source> {
    let of_suite = |suite: &str| {
        sources
            .iter()
            .find(|source| source.suites.iter().any(|known| known == suite))
    };
    let with_suite = |source: &Source, suite: String| Source {
        suites: vec![suite],
        ..source.clone()
    };
    let security = format!("{codename}-security");
    let mut found = Vec::new();
    if let Some(main) = of_suite(codename) {
        for suite in [
            format!("{codename}-backports"),
            "stable-backports".into(),
            codename.into(),
            format!("{codename}-updates"),
        ] {
            found.push(with_suite(main, suite));
        }
    }
    if let Some(source) = of_suite(&security) {
        found.push(with_suite(source, security));
    }
    if let Some(main) = of_suite(codename) {
        for suite in ["testing", "unstable"] {
            found.push(with_suite(main, suite.into()));
        }
    }
    found
}

/// The entry in apt's deb822 style.
fn stanza(source: &Source) -> String {
    let mut text = format!(
        "Types: deb\nURIs: {}\nSuites: {}\nComponents: main\n",
        source.uris.join(" "),
        source.suites.join(" ")
    );
    if let Some(key) = &source.signed_by {
        text.push_str(&format!("Signed-By: {key}\n"));
    }
    text
}

fn codename(os_release: &str) -> Option<String> {
    os_release
        .lines()
        .find_map(|line| line.strip_prefix("VERSION_CODENAME="))
        .map(|value| value.trim_matches('"').to_owned())
        .filter(|value| !value.is_empty())
}

/// The full version, among the lines of `apt-cache madison`, whose upstream part is `version`.
fn matching_version(madison: &str, version: &str) -> Option<String> {
    madison
        .lines()
        .filter_map(|line| line.split('|').nth(1))
        .map(str::trim)
        .find(|full| upstream(full) == version)
        .map(str::to_owned)
}

/// The upstream part of a package version: without epoch, repacking mark and revision.
fn upstream(version: &str) -> &str {
    let without_epoch = version.split_once(':').map_or(version, |(_, rest)| rest);
    without_epoch
        .split(['+', '~', '-'])
        .next()
        .unwrap_or(without_epoch)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;

    const DEB822: &str = "\
Types: deb deb-src
# a remark
URIs: http://mirror.example/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 abc

Types: deb
URIs: http://mirror.example/off
Suites: bookworm
Enabled: no

Types: deb-src
URIs: http://mirror.example/src
Suites: bookworm

Types: deb
URIs: http://mirror.example/security
Suites: bookworm-security
Signed-By: /usr/share/keyrings/a.gpg
";

    #[test]
    fn deb822_yields_enabled_binary_entries() {
        let sources = parse_deb822(DEB822);
        assert_eq!(sources.len(), 2);
        assert_eq!(sources[0].uris, ["http://mirror.example/debian"]);
        assert_eq!(sources[0].suites, ["bookworm", "bookworm-updates"]);
        let key = sources[0].signed_by.as_deref().unwrap();
        assert!(
            key.starts_with("\n -----BEGIN") && key.ends_with("\n abc"),
            "{key:?}"
        );
        assert_eq!(
            sources[1].signed_by.as_deref(),
            Some("/usr/share/keyrings/a.gpg")
        );
    }

    #[test]
    fn one_line_entries_keep_their_key_and_skip_remarks() {
        let sources = parse_one_line(
            "# deb http://mirror.example/no stable main\n\
             deb-src http://mirror.example/src stable main\n\
             deb [arch=amd64 signed-by=/k.gpg] http://mirror.example/a jammy main universe # x\n\
             deb http://mirror.example/b jammy-security main\n\
             deb\n",
        );
        assert_eq!(sources.len(), 2);
        assert_eq!(sources[0].uris, ["http://mirror.example/a"]);
        assert_eq!(sources[0].suites, ["jammy"]);
        assert_eq!(sources[0].signed_by.as_deref(), Some("/k.gpg"));
        assert_eq!(sources[1].suites, ["jammy-security"]);
        assert_eq!(sources[1].signed_by, None);
    }

    #[test]
    fn entry_written_back_reads_the_same() {
        for source in parse_deb822(DEB822) {
            assert_eq!(parse_deb822(&stanza(&source)), [source]);
        }
    }

    #[test]
    fn suites_are_asked_at_the_machine_own_mirror() {
        let found = candidates(&parse_deb822(DEB822), "bookworm");
        let pairs: Vec<_> = found
            .iter()
            .map(|source| (source.uris[0].as_str(), source.suites[0].as_str()))
            .collect();
        let main = "http://mirror.example/debian";
        assert_eq!(
            pairs,
            [
                (main, "bookworm-backports"),
                (main, "stable-backports"),
                (main, "bookworm"),
                (main, "bookworm-updates"),
                ("http://mirror.example/security", "bookworm-security"),
                (main, "testing"),
                (main, "unstable"),
            ]
        );
        assert_eq!(candidates(&parse_deb822(DEB822), "other"), []);
    }

    #[test]
    fn only_the_exact_upstream_version_matches() {
        let madison = " rust-src | 1.96.0+dfsg1-1~bpo13+1 | http://m trixie-backports/main\n \
                       rust-src | 1:1.95.0+dfsg1-1~bpo13+1 | http://m trixie-backports/main\n";
        assert_eq!(
            matching_version(madison, "1.95.0").as_deref(),
            Some("1:1.95.0+dfsg1-1~bpo13+1")
        );
        assert_eq!(matching_version(madison, "1.95.1"), None);
        assert_eq!(matching_version("", "1.95.0"), None);
    }

    #[test]
    fn codename_is_read_with_and_without_quotes() {
        assert_eq!(
            codename("ID=debian\nVERSION_CODENAME=bookworm\n").as_deref(),
            Some("bookworm")
        );
        assert_eq!(
            codename("VERSION_CODENAME=\"noble\"").as_deref(),
            Some("noble")
        );
        assert_eq!(codename("ID=arch"), None);
    }
}
