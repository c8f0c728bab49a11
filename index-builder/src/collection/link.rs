//! Which addresses may become links and pictures on a page.

/// Gives an address that is safe to follow, or says why it is not.
///
/// Only `http:`, `https:` and addresses within the site are kept: a catalogue is data, and data
/// must not run (`javascript:`) or reach into the visitor's files (`file:`).
pub fn safe_address(address: &str) -> Result<&str, String> {
    let address = address.trim();
    // Browsers drop tabs and line ends inside an address, so `java\nscript:` would slip through.
    if address.chars().any(char::is_control) {
        return Err("holds a control character".to_owned());
    }
    if address.contains('\\') || address.starts_with("//") {
        return Err("leads off the site without saying https:".to_owned());
    }
    let end = address.find(['/', '?', '#']).unwrap_or(address.len());
    match address[..end].split_once(':') {
        None => Ok(address),
        Some((scheme, _)) => match scheme.to_ascii_lowercase().as_str() {
            "http" | "https" if has_host(address, scheme.len()) => Ok(address),
            "http" | "https" => Err("names no host".to_owned()),
            other => Err(format!("uses {other:?} where only http and https are kept")),
        },
    }
}

fn has_host(address: &str, scheme: usize) -> bool {
    address[scheme..]
        .strip_prefix("://")
        .is_some_and(|rest| !rest.starts_with(['/', '?', '#']) && !rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_web_and_site_relative_addresses_are_kept() {
        for good in [
            "http://collection.example/CollectionDetail.aspx?item=1:2",
            "HTTPS://example.org",
            "/items/demo_001.html",
            "items/a b.html",
            "?id=javascript:x",
            "#top",
        ] {
            assert!(safe_address(good).is_ok(), "{good}");
        }
        for bad in [
            "javascript:alert(1)",
            " JavaScript:alert(1)",
            "java\nscript:alert(1)",
            "\u{1}javascript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "//evil.example/x",
            "\\\\evil.example",
            "https:",
            "http:///x",
            "vbscript:x/y",
        ] {
            assert!(safe_address(bad).is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn what_is_kept_is_a_web_address_or_has_no_scheme(text in "\\PC{0,24}|[a-zA-Z:/\\\\ \t\n]{0,12}") {
            if let Ok(kept) = safe_address(&text) {
                let lower = kept.to_ascii_lowercase();
                let web = lower.starts_with("http://") || lower.starts_with("https://");
                let end = kept.find(['/', '?', '#']).unwrap_or(kept.len());
                prop_assert!(web || !kept[..end].contains(':'), "{kept:?}");
            }
        }
    }
}
