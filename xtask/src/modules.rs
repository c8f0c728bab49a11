//! The two WASM modules of the page: compiled, bound to JavaScript, optimized, and kept in the
//! cache by what they were made from.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

use crate::hash::{self, Fingerprint};
use crate::plan::{Cost, Outcome};
use crate::process;
use crate::workspace::{self, WASM_TARGET, Workspace};

/// How one module is built.
#[derive(Debug)]
pub struct Module {
    /// Name of the module, and of its folder below `web/pkg`.
    pub name: &'static str,
    /// Features of the `almanac` crate.
    pub features: &'static str,
    /// Cargo's profile settings, as the environment variables that override the release profile.
    profile: &'static [(&'static str, &'static str)],
    /// wasm-opt's level.
    optimize: &'static str,
    /// Bytes that the module may have as gzip (level 9) sends it.
    pub most_gzip: usize,
    /// Minutes to compile and bind from nothing, and to optimize, on two cores.
    minutes: (f32, f32),
}

/// Cargo's profile for both modules: with one profile, most of their dependencies are compiled once.
/// It is for size; the manifest names the packages that are for speed (decision D45).
const PROFILE: [(&str, &str); 5] = [
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "z"),
    ("CARGO_PROFILE_RELEASE_DEBUG", "false"),
    ("CARGO_PROFILE_RELEASE_LTO", "fat"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1"),
    ("CARGO_PROFILE_RELEASE_PANIC", "abort"),
];

/// The module that every visitor loads.
pub const CPU: Module = Module {
    name: "cpu",
    features: "encoder",
    profile: &PROFILE,
    optimize: "-O2",
    most_gzip: 1_300_000,
    minutes: (5.0, 1.0),
};

/// The module for browsers with WebGPU: its arithmetic is in shaders, so wasm-opt takes the quick way.
pub const GPU: Module = Module {
    name: "gpu",
    features: "gpu",
    profile: &PROFILE,
    optimize: "-O1",
    most_gzip: 3_000_000,
    minutes: (8.0, 3.0),
};

/// What browsers are asked to support: exactly what the compiler was told to emit, and what its
/// bindings need.
const WASM_FEATURES: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
    "--enable-simd",
];

/// The smallest WebAssembly module: its magic number and its version.
const EMPTY_PROGRAM: [u8; 8] = *b"\0asm\x01\0\0\0";

/// How many earlier builds of each kind stay in the cache, for going back and forth.
const KEPT_BUILDS: usize = 4;

impl Module {
    /// The step's title.
    pub fn title(&self) -> String {
        format!("WASM module for the {}", self.name.to_uppercase())
    }

    fn stem(&self) -> String {
        format!("almanac_{}", self.name)
    }

    fn wasm_file(&self) -> String {
        format!("{}_bg.wasm", self.stem())
    }

    /// Where the page's build takes the module from.
    pub fn folder(&self, workspace: &Workspace) -> PathBuf {
        workspace.web().join("pkg").join(self.name)
    }

    /// The module's optimized code.
    pub fn code(&self, workspace: &Workspace) -> PathBuf {
        self.folder(workspace).join(self.wasm_file())
    }

    fn cache(&self, workspace: &Workspace) -> PathBuf {
        workspace.cache.join("modules").join(self.name)
    }

    /// What [`Module::build`] will take; nothing when the cache holds the module.
    pub fn cost(&self, workspace: &Workspace) -> Option<Cost> {
        let all = Some(Cost {
            minutes: self.minutes.0 + self.minutes.1,
            megabytes: 0,
        });
        let Ok(bound) = self.bound_folder(workspace) else {
            return all;
        };
        if !bound.is_dir() {
            return all;
        }
        match self.optimized_file(workspace, &bound.join(self.wasm_file())) {
            Ok(file) if file.is_file() => None,
            _ => Some(Cost {
                minutes: self.minutes.1,
                megabytes: 0,
            }),
        }
    }

    /// Builds the module into `web/pkg`, from the cache where its sources have not changed.
    ///
    /// # Errors
    /// When it does not compile, or the cache or `web/pkg` cannot be written.
    pub fn build(&self, workspace: &Workspace) -> Result<Outcome> {
        let mut bound = self.bound_folder(workspace)?;
        let mut unchanged = true;
        while !bound.is_dir() {
            unchanged = false;
            let compiled = self.compile(workspace)?;
            let after = self.bound_folder(workspace)?;
            if after == bound {
                self.bind(&compiled, &bound)?;
            } else {
                // Edited while it compiled: nobody knows which sources went in.
                bound = after;
            }
        }
        let raw = bound.join(self.wasm_file());
        let optimized = self.optimized_file(workspace, &raw)?;
        if !optimized.is_file() {
            unchanged = false;
            self.optimize(workspace, &raw, &optimized)?;
        }
        self.lay_out(workspace, &bound, &optimized)?;
        touch_and_prune(&bound, "bound-")?;
        touch_and_prune(&optimized, "optimized-")?;
        if unchanged {
            return Ok(Outcome::Unchanged);
        }
        let size = fs::metadata(&optimized)?.len();
        Ok(Outcome::Done(vec![format!("{size} bytes")]))
    }

    /// Folder in the cache for the bound module of the present sources.
    fn bound_folder(&self, workspace: &Workspace) -> Result<PathBuf> {
        Ok(self
            .cache(workspace)
            .join(format!("bound-{}", self.source_fingerprint(workspace)?)))
    }

    /// File in the cache for the optimized code of this bound module.
    fn optimized_file(&self, workspace: &Workspace, raw: &Path) -> Result<PathBuf> {
        let mut fingerprint = Fingerprint::of("optimize")
            .file(raw)?
            .text(self.optimize)
            .file(&workspace.root.join("xtask/package-lock.json"))?;
        for feature in WASM_FEATURES {
            fingerprint = fingerprint.text(feature);
        }
        Ok(self
            .cache(workspace)
            .join(format!("optimized-{}.wasm", short(&fingerprint.finish()))))
    }

    /// Everything the compiled code depends on: the crate, its dependencies' versions and features,
    /// the compiler and the settings; not where the checkout lies.
    fn source_fingerprint(&self, workspace: &Workspace) -> Result<String> {
        let root = &workspace.root;
        let mut tree = Command::new(workspace::cargo());
        tree.current_dir(root)
            .args(["tree", "--locked", "--package", "almanac"])
            .args(["--no-default-features", "--features", self.features])
            .args(["--target", WASM_TARGET, "--edges", "normal,build"])
            .args(["--prefix", "none", "--format", "{p} {f}"]);
        if workspace.offline {
            tree.arg("--offline");
        }
        let tree = process::capture(&mut tree)?;
        let manifest =
            fs::read_to_string(root.join("Cargo.toml")).context("Cargo.toml: cannot read")?;
        let mut fingerprint = Fingerprint::of("module")
            .text(&dependencies(&tree, root))
            .text(&profiles(&manifest))
            .file(&root.join(".cargo/config.toml"))?
            .tree(&root.join("crate"), &["tests", "benches", "examples"])?
            .text(&workspace::rustc_identity(Path::new(&workspace::rustc()))?)
            .text(&std::env::var("RUSTFLAGS").unwrap_or_default());
        for (key, value) in self.profile {
            fingerprint = fingerprint.text(key).text(value);
        }
        Ok(short(&fingerprint.finish()))
    }

    fn compile(&self, workspace: &Workspace) -> Result<PathBuf> {
        // As a `cdylib` alone: beside an `rlib` cargo leaves out the last step of link-time
        // optimization.
        let mut command = workspace.cargo("rustc")?;
        command
            .args(["--release", "--package", "almanac", "--lib"])
            .args(["--crate-type", "cdylib"])
            .args(["--target", WASM_TARGET])
            .args(["--no-default-features", "--features", self.features])
            .envs(self.profile.iter().copied());
        process::run(&mut command)?;
        Ok(workspace
            .target
            .join(WASM_TARGET)
            .join("release/almanac.wasm"))
    }

    /// Makes the JavaScript and type declarations of a compiled module.
    fn bind(&self, compiled: &Path, bound: &Path) -> Result<()> {
        let parent = bound.parent().context("the cache has no parent folder")?;
        fs::create_dir_all(parent)
            .with_context(|| format!("{}: cannot make the folder", parent.display()))?;
        let scratch = tempfile::tempdir_in(parent).context("cannot make a temporary folder")?;
        let alive = process::SignOfLife::start("binding to JavaScript");
        Bindgen::new()
            .input_path(compiled)
            .out_name(&self.stem())
            .web(true)
            .and_then(|bindgen| {
                bindgen
                    .typescript(true)
                    .remove_producers_section(true)
                    .generate(scratch.path())
            })
            .with_context(|| format!("{}: wasm-bindgen", compiled.display()))?;
        drop(alive);
        fs::rename(scratch.keep(), bound)
            .with_context(|| format!("{}: cannot write", bound.display()))
    }

    fn optimize(&self, workspace: &Workspace, raw: &Path, optimized: &Path) -> Result<()> {
        let scratch = optimized.with_extension("wasm.part");
        process::quietly(
            Command::new("node")
                .arg(
                    workspace
                        .root
                        .join("xtask/node_modules/binaryen/bin/wasm-opt"),
                )
                .arg(raw)
                .arg(self.optimize)
                .args(WASM_FEATURES)
                .arg("--output")
                .arg(&scratch),
            &format!("wasm-opt {}", self.optimize),
            None,
        )?;
        fs::rename(&scratch, optimized)
            .with_context(|| format!("{}: cannot write", optimized.display()))
    }

    /// Copies the bound files and the optimized code to where the page's build takes them from.
    fn lay_out(&self, workspace: &Workspace, bound: &Path, optimized: &Path) -> Result<()> {
        let folder = self.folder(workspace);
        if folder.exists() {
            fs::remove_dir_all(&folder)
                .with_context(|| format!("{}: cannot remove", folder.display()))?;
        }
        for file in hash::files_below(bound, &[])? {
            let source = if file == Path::new(&self.wasm_file()) {
                optimized.to_path_buf()
            } else {
                bound.join(&file)
            };
            copy(&source, &folder.join(&file))?;
        }
        Ok(())
    }

    /// Lays a module in place of this one that only says that it was left out.
    ///
    /// # Errors
    /// When `web/pkg` cannot be written.
    pub fn leave_out(&self, workspace: &Workspace) -> Result<Outcome> {
        let folder = self.folder(workspace);
        if folder.exists() {
            fs::remove_dir_all(&folder)
                .with_context(|| format!("{}: cannot remove", folder.display()))?;
        }
        fs::create_dir_all(&folder)
            .with_context(|| format!("{}: cannot make the folder", folder.display()))?;
        let file = folder.join(format!("{}.js", self.stem()));
        fs::write(
            &file,
            format!(
                "export default async function init() {{\n  throw new Error(\"this site was built without the module for the {}\");\n}}\n",
                self.name.to_uppercase()
            ),
        )
        .with_context(|| format!("{}: cannot write", file.display()))?;
        // The page names it by its address, whether or not it is ever fetched.
        let program = folder.join(self.wasm_file());
        fs::write(&program, EMPTY_PROGRAM)
            .with_context(|| format!("{}: cannot write", program.display()))?;
        Ok(Outcome::Skipped("left out as asked".into()))
    }
}

/// Copies one file, making the folders above it.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)
            .with_context(|| format!("{}: cannot make the folder", folder.display()))?;
    }
    fs::copy(from, to)
        .map(drop)
        .with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))
}

fn short(digest: &str) -> String {
    digest.chars().take(24).collect()
}

/// Dependencies with versions and features, sorted, without the crates of this checkout.
fn dependencies(tree: &str, root: &Path) -> String {
    let here = root.to_string_lossy();
    let mut lines: Vec<_> = tree
        .lines()
        .map(|line| line.trim().trim_end_matches(" (*)").trim_end())
        .filter(|line| !line.is_empty() && !line.contains(here.as_ref()))
        .collect();
    lines.sort_unstable();
    lines.dedup();
    lines.join("\n")
}

/// The `[profile…]` sections of a manifest.
fn profiles(manifest: &str) -> String {
    let mut inside = false;
    let mut kept = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line.starts_with("[profile");
        }
        if inside {
            kept.push(line);
        }
    }
    kept.join("\n")
}

/// Marks one entry of the cache as the latest used, and removes the oldest of its kind.
fn touch_and_prune(used: &Path, prefix: &str) -> Result<()> {
    let Some(folder) = used.parent() else {
        return Ok(());
    };
    let stamp = folder.join(format!(
        ".used-{}",
        used.file_name().unwrap_or_default().to_string_lossy()
    ));
    fs::write(&stamp, "").with_context(|| format!("{}: cannot write", stamp.display()))?;
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(prefix) {
            let used = folder.join(format!(".used-{name}"));
            let time = fs::metadata(&used).and_then(|meta| meta.modified()).ok();
            entries.push((time, entry.path(), used));
        }
    }
    entries.sort();
    let surplus = entries.len().saturating_sub(KEPT_BUILDS);
    for (_, path, used) in entries.into_iter().take(surplus) {
        let removed = if path.is_dir() {
            fs::remove_dir_all(&path)
        } else {
            fs::remove_file(&path)
        };
        removed.with_context(|| format!("{}: cannot remove", path.display()))?;
        // A stamp without its build does no harm.
        let _ = fs::remove_file(used);
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;

    #[test]
    fn dependency_list_is_the_same_in_every_checkout() {
        let tree = |root: &str| {
            format!(
                "almanac v0.1.0 ({root}/crate) encoder\nburn v0.22.1 std\n\naho v1.0.0 \nburn v0.22.1 std\n"
            )
        };
        let one = dependencies(&tree("/a/one"), Path::new("/a/one"));
        let two = dependencies(&tree("/b/two"), Path::new("/b/two"));
        assert_eq!(one, two);
        assert_eq!(one, "aho v1.0.0\nburn v0.22.1 std");
    }

    #[test]
    fn profiles_are_cut_from_the_manifest() {
        let manifest = "[workspace]\na = 1\n[profile.release]\nopt-level = 3\n[lints]\nb = 2\n[profile.release.package.x]\nopt-level = 1\n";
        assert_eq!(
            profiles(manifest),
            "[profile.release]\nopt-level = 3\n[profile.release.package.x]\nopt-level = 1"
        );
    }

    #[test]
    fn oldest_builds_leave_the_cache() {
        let dir = tempfile::tempdir().unwrap();
        for number in 0..=KEPT_BUILDS {
            let build = dir.path().join(format!("bound-{number}"));
            fs::create_dir(&build).unwrap();
            fs::write(build.join("x"), "").unwrap();
            touch_and_prune(&build, "bound-").unwrap();
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        assert!(!dir.path().join("bound-0").exists());
        for number in 1..=KEPT_BUILDS {
            assert!(dir.path().join(format!("bound-{number}")).exists());
        }
    }

    #[test]
    fn module_left_out_says_so_when_started() {
        let dir = tempfile::tempdir().unwrap();
        let workspace = Workspace {
            root: dir.path().into(),
            cache: dir.path().join("cache"),
            target: dir.path().join("target"),
            offline: true,
        };
        GPU.leave_out(&workspace).unwrap();
        assert_eq!(fs::read(GPU.code(&workspace)).unwrap(), EMPTY_PROGRAM);
        let script = fs::read_to_string(GPU.folder(&workspace).join("almanac_gpu.js")).unwrap();
        assert!(script.contains("export default"), "{script}");
        assert!(
            script.contains("without the module for the GPU"),
            "{script}"
        );
    }

    #[test]
    fn optimized_code_is_keyed_by_its_input() {
        let dir = tempfile::tempdir().unwrap();
        let workspace = Workspace {
            root: dir.path().into(),
            cache: dir.path().join("cache"),
            target: dir.path().join("target"),
            offline: true,
        };
        let raw = dir.path().join("raw.wasm");
        fs::write(&raw, "1").unwrap();
        let first = CPU.optimized_file(&workspace, &raw).unwrap();
        assert_eq!(first, CPU.optimized_file(&workspace, &raw).unwrap());
        fs::write(&raw, "2").unwrap();
        assert_ne!(first, CPU.optimized_file(&workspace, &raw).unwrap());
    }
}
