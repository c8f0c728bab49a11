//! What runs in the browser never waits for the GPU in the middle of a call: there it cannot, and
//! Burn's calls that read a tensor back at once panic or hang.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::{Path, PathBuf};

/// Calls that read a tensor back at once, or do so inside.
///
/// Source: Burn 0.22, where sorting on a GPU without a kernel for it reads the tensor back.
const AT_ONCE: [&str; 6] = [
    ".into_data()",
    ".to_data()",
    ".into_scalar()",
    ".argsort(",
    ".sort(",
    ".topk",
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn files_below(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_below(&path, into);
        } else if path.extension().is_some_and(|e| e == "rs") {
            into.push(path);
        }
    }
}

/// The name of a file inside the library's sources, with slashes.
fn short(path: &Path) -> String {
    let inside = path.strip_prefix(source()).unwrap();
    inside.to_string_lossy().replace('\\', "/")
}

/// The text of a file without its tests and its comments.
fn browser_part(text: &str) -> String {
    let tests = text.find("\nmod tests {").unwrap_or(text.len());
    let lines = text[..tests].lines();
    let code = lines.filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| [line, "\n"]).collect()
}

/// The calls of [`AT_ONCE`] in the files that use Burn.
fn found(files: &[(String, String)]) -> Vec<String> {
    let mut found = Vec::new();
    for (name, text) in files.iter().filter(|(_, text)| text.contains("burn::")) {
        // A call may begin on a line of its own.
        let part = browser_part(text);
        let calls = AT_ONCE.iter().filter(|call| part.contains(*call));
        found.extend(calls.map(|call| format!("{name}: {call}")));
    }
    found
}

fn read_all() -> Vec<(String, String)> {
    let mut paths = Vec::new();
    files_below(&source(), &mut paths);
    let read = |path: &PathBuf| (short(path), std::fs::read_to_string(path).unwrap());
    paths.iter().map(read).collect()
}

#[test]
fn no_tensor_is_read_back_at_once_in_the_browser() {
    let files = read_all();
    let of_burn: Vec<&str> = files
        .iter()
        .filter(|(_, text)| text.contains("burn::"))
        .map(|(name, _)| name.as_str())
        .collect();
    for name in ["encoder/bert.rs", "encoder/device.rs", "wasm/gpu.rs"] {
        assert!(of_burn.contains(&name), "{name} is not among {of_burn:?}");
    }
    assert_eq!(found(&files), Vec::<String>::new());
}

#[test]
fn call_that_reads_at_once_is_found_wherever_it_stands() {
    let of = |name: &str, text: &str| found(&[(name.to_owned(), text.to_owned())]);
    for call in AT_ONCE {
        let text = format!("use burn::tensor::Tensor;\nfn f() {{\n    x\n        {call};\n}}\n");
        assert_eq!(of("encoder/bert.rs", &text).len(), 1, "{call}");
    }
    let waiting = "use burn::tensor::Tensor;\n// .into_data()\nx.into_data_async().await\nmod tests {\nx.into_data()\n";
    assert_eq!(of("encoder/bert.rs", waiting), Vec::<String>::new());
    assert_eq!(
        of("encoder/other.rs", "names.sort();"),
        Vec::<String>::new()
    );
}
