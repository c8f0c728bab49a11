//! A small server of static files for this machine alone, behaving as plain static hosts do.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};

/// The port that is tried first.
pub const DEFAULT_PORT: u16 = 8787;

/// How many ports after the wanted one are tried.
const PORTS_TRIED: u16 = 50;

/// Longest request line with its headers, in bytes.
const LONGEST_HEAD: u64 = 16 * 1024;

/// Most requests answered at once; one more is answered with 503.
const MOST_REQUESTS: usize = 64;

/// Longest silence of a client.
const PATIENCE: Duration = Duration::from_secs(30);

/// Serves a folder until the process is ended, and prints the address.
///
/// # Errors
/// When the folder has no `index.html`, `base` is no path, or no port is free.
pub fn run(folder: &Path, port: u16, base: &str) -> Result<()> {
    let site = Site::open(folder, base)?;
    let listener = listen(port)?;
    let port = listener.local_addr()?.port();
    println!("http://127.0.0.1:{port}{}", site.base);
    eprintln!("serving {} (Ctrl-C ends it)", folder.display());
    let site = Arc::new(site);
    let open = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming() {
        let Ok(stream) = stream else { continue };
        let (site, open) = (Arc::clone(&site), Arc::clone(&open));
        thread::spawn(move || {
            let crowded = open.fetch_add(1, Ordering::SeqCst) >= MOST_REQUESTS;
            // A client that goes away is no concern of the server's.
            let _ = converse(&site, &stream, crowded);
            open.fetch_sub(1, Ordering::SeqCst);
        });
    }
    Ok(())
}

/// Opens the wanted port, or the next free one after it.
fn listen(port: u16) -> Result<TcpListener> {
    let last = port.saturating_add(PORTS_TRIED);
    for candidate in port..=last {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, candidate)) {
            Ok(listener) => return Ok(listener),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {}
            Err(error) => {
                return Err(error).with_context(|| {
                    format!("port {candidate}: cannot listen; choose another with --port")
                });
            }
        }
    }
    bail!("ports {port} to {last} are all taken; choose another with --port")
}

/// A folder served below a path.
#[derive(Debug)]
struct Site {
    folder: PathBuf,
    /// Starts and ends with a slash.
    base: String,
}

impl Site {
    fn open(folder: &Path, base: &str) -> Result<Self> {
        if !folder.join("index.html").is_file() {
            bail!(
                "{}: no index.html to serve; run `cargo xtask build` first",
                folder.display()
            );
        }
        let inner = base.trim_matches('/');
        let plain = inner
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || "-_./".contains(letter));
        if !plain || inner.split('/').any(|part| part == "..") {
            bail!("{base}: not a plain path for --base");
        }
        Ok(Self {
            folder: folder
                .canonicalize()
                .with_context(|| format!("{}: cannot open", folder.display()))?,
            base: if inner.is_empty() {
                "/".to_owned()
            } else {
                format!("/{inner}/")
            },
        })
    }

    /// Finds what a request's target names.
    fn find(&self, target: &str) -> Found {
        let path = target.split(['?', '#']).next().unwrap_or_default();
        let Some(relative) = path.strip_prefix(self.base.as_str()) else {
            let below = format!("{path}/") == self.base;
            return if below {
                Found::Moved(self.base.clone())
            } else {
                Found::Nothing
            };
        };
        let Some(relative) = percent_decoded(relative) else {
            return Found::Nothing;
        };
        let Some(relative) = safe(&relative) else {
            return Found::Nothing;
        };
        let Ok(full) = self.folder.join(&relative).canonicalize() else {
            return Found::Nothing;
        };
        // A link may lead out of the folder.
        if !full.starts_with(&self.folder) {
            return Found::Nothing;
        }
        if !full.is_dir() {
            // `file.txt/` names nothing.
            return if path.ends_with('/') {
                Found::Nothing
            } else {
                Found::File(full)
            };
        }
        if !path.ends_with('/') {
            return Found::Moved(format!("{path}/"));
        }
        let index = full.join("index.html");
        if index.is_file() {
            Found::File(index)
        } else {
            Found::Nothing
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Found {
    File(PathBuf),
    Moved(String),
    Nothing,
}

/// The bytes behind `%xx`; nothing when a code is broken or the whole is not UTF-8.
fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let high = char::from(rest.next()?).to_digit(16)?;
        let low = char::from(rest.next()?).to_digit(16)?;
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(bytes).ok()
}

/// The path if all of its parts are plain names.
fn safe(path: &str) -> Option<PathBuf> {
    if path.contains(['\0', '\\']) || path.starts_with('/') {
        return None;
    }
    let path = Path::new(path);
    path.components()
        .all(|part| matches!(part, Component::Normal(_)))
        .then(|| path.to_path_buf())
}

/// Reads one request and answers it.
fn converse(site: &Site, stream: &TcpStream, crowded: bool) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut lines = BufReader::new(stream.take(LONGEST_HEAD));
    let mut request = String::new();
    lines.read_line(&mut request)?;
    // The headers hold nothing that matters here, but unread bytes would reset the connection.
    let mut header = Vec::new();
    while lines.read_until(b'\n', &mut header)? > 2 {
        header.clear();
    }
    let mut stream = stream;
    if crowded {
        return refuse(&mut stream, "503 Service Unavailable", "", true);
    }
    let mut words = request.split_whitespace();
    let (method, target) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    let with_body = match method {
        "GET" => true,
        "HEAD" => false,
        "" => return refuse(&mut stream, "400 Bad Request", "", true),
        _ => {
            return refuse(
                &mut stream,
                "405 Method Not Allowed",
                "Allow: GET, HEAD\r\n",
                true,
            );
        }
    };
    match site.find(target) {
        Found::File(path) => send(&mut stream, "200 OK", &path, with_body),
        Found::Moved(to) => refuse(
            &mut stream,
            "301 Moved Permanently",
            &format!("Location: {to}\r\n"),
            with_body,
        ),
        Found::Nothing => {
            let page = site.folder.join("404.html");
            if page.is_file() {
                send(&mut stream, "404 Not Found", &page, with_body)
            } else {
                refuse(&mut stream, "404 Not Found", "", with_body)
            }
        }
    }
}

fn send(stream: &mut impl Write, status: &str, path: &Path, with_body: bool) -> io::Result<()> {
    let Ok(mut file) = File::open(path) else {
        return refuse(stream, "404 Not Found", "", with_body);
    };
    let length = fs::metadata(path)?.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {}\r\nContent-Length: {length}\r\nCache-Control: {}\r\n{COMMON_HEADERS}\r\n",
        media_type(path),
        cache_rule(path),
    )?;
    if with_body {
        io::copy(&mut file, stream)?;
    }
    stream.flush()
}

/// Answers without a file.
fn refuse(stream: &mut impl Write, status: &str, headers: &str, with_body: bool) -> io::Result<()> {
    let body = format!("<!doctype html><title>{status}</title><h1>{status}</h1>\n");
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nCache-Control: no-cache\r\n{headers}{COMMON_HEADERS}\r\n{}",
        body.len(),
        if with_body { &body } else { "" }
    )?;
    stream.flush()
}

const COMMON_HEADERS: &str = "X-Content-Type-Options: nosniff\r\nConnection: close\r\n";

/// Source: the IANA registry of media types; `application/wasm` is what streaming compilation asks.
fn media_type(path: &Path) -> &'static str {
    match extension(path) {
        "css" => "text/css; charset=utf-8",
        "gif" => "image/gif",
        "gz" => "application/gzip",
        "html" => "text/html; charset=utf-8",
        "ico" => "image/x-icon",
        "jpg" | "jpeg" => "image/jpeg",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" | "map" => "application/json; charset=utf-8",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "txt" => "text/plain; charset=utf-8",
        "wasm" => "application/wasm",
        "webmanifest" => "application/manifest+json",
        "webp" => "image/webp",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

/// Pages, manifests and workers are asked for anew each time; other names change with their bytes.
fn cache_rule(path: &Path) -> &'static str {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if name == "manifest.json" || name == "sw.js" || extension(path) == "html" {
        "no-cache"
    } else {
        "max-age=60"
    }
}

fn extension(path: &Path) -> &str {
    path.extension()
        .and_then(|extension| extension.to_str())
        .unwrap_or_default()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;

    /// A served folder, and a secret beside it.
    struct Fixture {
        dir: tempfile::TempDir,
        base: &'static str,
    }

    impl Fixture {
        fn new(base: &'static str) -> Self {
            let dir = tempfile::tempdir().unwrap();
            let dist = dir.path().join("dist");
            fs::create_dir_all(dist.join("assets")).unwrap();
            fs::create_dir_all(dist.join("index/deep")).unwrap();
            fs::write(dir.path().join("secret.txt"), "secret").unwrap();
            for (name, text) in [
                ("index.html", "home"),
                ("assets/a b.js", "script"),
                ("assets/a.wasm", "\0asm"),
                ("index/manifest.json", "{}"),
                ("index/deep/index.html", "deep"),
            ] {
                fs::write(dist.join(name), text).unwrap();
            }
            Self { dir, base }
        }

        /// Sends one raw request through a real connection and returns the whole answer.
        fn raw(&self, request: &str) -> String {
            let site = Site::open(&self.dir.path().join("dist"), self.base).unwrap();
            let listener = listen(0).unwrap();
            let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            client.write_all(request.as_bytes()).unwrap();
            let (server, _) = listener.accept().unwrap();
            converse(&site, &server, false).unwrap();
            drop(server);
            let mut answer = Vec::new();
            client.read_to_end(&mut answer).unwrap();
            String::from_utf8_lossy(&answer).into_owned()
        }

        fn get(&self, target: &str) -> String {
            self.raw(&format!("GET {target} HTTP/1.1\r\nHost: x\r\n\r\n"))
        }
    }

    fn body(answer: &str) -> &str {
        answer.split_once("\r\n\r\n").unwrap().1
    }

    #[test]
    fn file_is_sent_with_type_and_length() {
        let site = Fixture::new("/");
        let answer = site.get("/assets/a.wasm?v=1");
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        assert!(
            answer.contains("Content-Type: application/wasm\r\n"),
            "{answer}"
        );
        assert!(answer.contains("Content-Length: 4\r\n"), "{answer}");
        assert_eq!(body(&answer), "\0asm");
        let script = site.get("/assets/a%20b.js");
        assert!(script.contains("Content-Type: text/javascript"), "{script}");
    }

    #[test]
    fn head_has_the_headers_of_get_and_no_body() {
        let site = Fixture::new("/");
        let got = site.get("/");
        let head = site.raw("HEAD / HTTP/1.1\r\n\r\n");
        assert_eq!(body(&got), "home");
        assert_eq!(body(&head), "");
        assert_eq!(
            head.split_once("\r\n\r\n").unwrap().0,
            got.split_once("\r\n\r\n").unwrap().0
        );
    }

    #[test]
    fn paths_out_of_the_folder_are_refused() {
        let site = Fixture::new("/");
        for target in [
            "/../secret.txt",
            "/assets/../../secret.txt",
            "/%2e%2e/secret.txt",
            "/..%2fsecret.txt",
            "/%2e%2e%5csecret.txt",
            "//secret.txt",
            "/%00",
            "/%zz",
            "/%ff",
            "http://elsewhere/",
            "",
        ] {
            let answer = site.get(target);
            assert!(
                !answer.contains("secret\n") && !answer.ends_with("secret"),
                "{target}"
            );
            assert!(
                answer.starts_with("HTTP/1.1 404") || answer.starts_with("HTTP/1.1 400"),
                "{target}: {answer}"
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn link_out_of_the_folder_is_refused() {
        let site = Fixture::new("/");
        let link = site.dir.path().join("dist/link.txt");
        std::os::unix::fs::symlink(site.dir.path().join("secret.txt"), link).unwrap();
        assert!(site.get("/link.txt").starts_with("HTTP/1.1 404"));
    }

    #[test]
    fn site_below_a_path_is_served_only_there() {
        let site = Fixture::new("museum/search");
        assert_eq!(body(&site.get("/museum/search/")), "home");
        assert_eq!(body(&site.get("/museum/search/index/deep/")), "deep");
        let moved = site.get("/museum/search");
        assert!(moved.starts_with("HTTP/1.1 301"), "{moved}");
        assert!(moved.contains("Location: /museum/search/\r\n"), "{moved}");
        assert!(site.get("/").starts_with("HTTP/1.1 404"));
        assert!(site.get("/index.html").starts_with("HTTP/1.1 404"));
    }

    #[test]
    fn folder_without_slash_moves_and_without_page_is_not_listed() {
        let site = Fixture::new("/");
        assert!(
            site.get("/index/deep")
                .contains("Location: /index/deep/\r\n")
        );
        assert!(site.get("/assets/").starts_with("HTTP/1.1 404"));
        assert!(site.get("/index.html/").starts_with("HTTP/1.1 404"));
    }

    #[test]
    fn own_page_for_404_is_used() {
        let site = Fixture::new("/");
        fs::write(site.dir.path().join("dist/404.html"), "lost").unwrap();
        let answer = site.get("/none");
        assert!(answer.starts_with("HTTP/1.1 404"), "{answer}");
        assert_eq!(body(&answer), "lost");
    }

    #[test]
    fn pages_and_manifests_are_never_taken_from_a_cache() {
        let site = Fixture::new("/");
        for target in ["/", "/index/manifest.json", "/none"] {
            assert!(
                site.get(target).contains("Cache-Control: no-cache\r\n"),
                "{target}"
            );
        }
        assert!(
            site.get("/assets/a.wasm")
                .contains("Cache-Control: max-age=")
        );
    }

    #[test]
    fn other_methods_are_refused() {
        let site = Fixture::new("/");
        assert!(
            site.raw("POST / HTTP/1.1\r\n\r\n")
                .starts_with("HTTP/1.1 405")
        );
        assert!(site.raw("\r\n\r\n").starts_with("HTTP/1.1 400"));
    }

    #[test]
    fn taken_port_gives_the_next_free_one() {
        let first = listen(0).unwrap();
        let port = first.local_addr().unwrap().port();
        let second = listen(port).unwrap().local_addr().unwrap().port();
        assert!(second > port);
    }

    #[test]
    fn folder_without_a_page_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        assert!(Site::open(dir.path(), "/").is_err());
        fs::write(dir.path().join("index.html"), "").unwrap();
        assert!(Site::open(dir.path(), "/").is_ok());
        assert!(Site::open(dir.path(), "/a/../b").is_err());
        assert!(Site::open(dir.path(), "/a\r\nb").is_err());
    }
}
