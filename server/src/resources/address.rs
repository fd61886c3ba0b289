//! What does the address of a resource mean? Pure and total.

use percent_encoding::percent_decode_str;

/// A resource, and the tmux server that it is asked of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    pub what: What,
    pub socket_name: Option<String>,
}

/// One of the templates with its variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum What {
    Sessions,
    Session(String),
    Windows(String),
    Window(String, String),
    Pane(String),
    Content(String),
}

impl Address {
    /// Nothing if no template has such an address.
    pub fn parse(uri: &str) -> Option<Self> {
        let rest = uri.strip_prefix("tmux://")?;
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        let parts: Vec<&str> = path.split('/').collect();
        let what = match parts.as_slice() {
            ["sessions"] => What::Sessions,
            ["sessions", name] => What::Session(text(name)?),
            ["sessions", name, "windows"] => What::Windows(text(name)?),
            ["sessions", name, "windows", index] => What::Window(text(name)?, text(index)?),
            // Which of its two readings is meant is found out when it is looked for.
            ["panes", id] => What::Pane(pane(id)?),
            ["panes", id, "content"] => What::Content(pane(id)?),
            _ => return None,
        };
        let socket_name = match query.split('&').find_map(|pair| pair.strip_prefix("socket_name=")) {
            None | Some("") => None,
            Some(raw) => Some(text(raw)?),
        };
        Some(Self { what, socket_name })
    }
}

impl What {
    /// The place of its template in the list.
    pub fn template(&self) -> usize {
        match self {
            Self::Sessions => 0,
            Self::Session(_) => 1,
            Self::Windows(_) => 2,
            Self::Window(..) => 3,
            Self::Pane(_) => 4,
            Self::Content(_) => 5,
        }
    }

    /// What it can mean, the likeliest first. The id `%10` is also what encodes a control character, and clients differ in whether they
    /// encode the `%`: `%2510` is `%10` encoded, or an id.
    pub fn readings(&self) -> Vec<Self> {
        let ids = |raw: &str| {
            let decoded = percent_decode_str(raw).decode_utf8().ok().map(String::from);
            let mut ids: Vec<String> =
                decoded.into_iter().chain([raw.to_owned()]).filter(|id| is_id(id)).collect();
            ids.dedup();
            ids
        };
        match self {
            Self::Pane(raw) => ids(raw).into_iter().map(Self::Pane).collect(),
            Self::Content(raw) => ids(raw).into_iter().map(Self::Content).collect(),
            other => vec![other.clone()],
        }
    }
}

/// A variable's value. None of them can be empty, hold a NUL or lead elsewhere.
fn text(raw: &str) -> Option<String> {
    let text = percent_decode_str(raw).decode_utf8().ok()?;
    let leads_elsewhere = text.split('/').any(|part| part == "..");
    (!text.is_empty() && !text.contains('\0') && !leads_elsewhere).then(|| text.into_owned())
}

/// A pane id as it stands in the address, encoded or not.
fn pane(raw: &str) -> Option<String> {
    (!What::Pane(raw.to_owned()).readings().is_empty()).then(|| raw.to_owned())
}

fn is_id(text: &str) -> bool {
    text.strip_prefix('%')
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parsed(uri: &str) -> Option<What> {
        Address::parse(uri).map(|address| address.what)
    }

    #[test]
    fn every_template() {
        let text = str::to_owned;
        assert_eq!(parsed("tmux://sessions"), Some(What::Sessions));
        assert_eq!(parsed("tmux://sessions/my%20dev"), Some(What::Session(text("my dev"))));
        assert_eq!(parsed("tmux://sessions/my dev"), Some(What::Session(text("my dev"))));
        assert_eq!(parsed("tmux://sessions/a%2Fb/windows"), Some(What::Windows(text("a/b"))));
        assert_eq!(parsed("tmux://sessions/a/windows/1"), Some(What::Window(text("a"), text("1"))));
        assert_eq!(parsed("tmux://sessions/per%25cent"), Some(What::Session(text("per%cent"))));
    }

    #[test]
    fn pane_ids_raw_and_encoded() {
        let ids = |uri: &str| match parsed(uri) {
            Some(what) => what.readings(),
            None => Vec::new(),
        };
        let pane = |id: &str| What::Pane(id.to_owned());
        assert_eq!(ids("tmux://panes/%0"), [pane("%0")]);
        assert_eq!(ids("tmux://panes/%10"), [pane("%10")]);
        assert_eq!(ids("tmux://panes/%2510"), [pane("%10"), pane("%2510")]);
        assert_eq!(
            ids("tmux://panes/%250/content"),
            [What::Content("%0".to_owned()), What::Content("%250".to_owned())]
        );
        assert_eq!(ids("tmux://panes/0"), []);
        assert_eq!(ids("tmux://panes/"), []);
    }

    #[test]
    fn the_server_is_in_the_query() {
        let socket = |uri: &str| Address::parse(uri).unwrap().socket_name;
        assert_eq!(socket("tmux://sessions"), None);
        assert_eq!(socket("tmux://sessions?socket_name=work"), Some("work".to_owned()));
        assert_eq!(socket("tmux://sessions/a?x=1&socket_name=a%20b"), Some("a b".to_owned()));
        assert_eq!(socket("tmux://sessions?bogus=1"), None);
    }

    #[test]
    fn everything_else_is_no_resource() {
        for uri in [
            "",
            "http://x",
            "tmux://nope",
            "tmux://sessions/",
            "tmux://sessions/../x",
            "tmux://sessions/..",
            "tmux://sessions/a%00b",
            "tmux://sessions?socket_name=../x",
            "tmux://sessions/a/windows/1/2",
        ] {
            assert_eq!(Address::parse(uri), None, "{uri}");
        }
    }

    proptest! {
        #[test]
        fn reading_is_total(uri in "(tmux://)?(sessions|panes)?[/%?=&a-z0-9.\u{0}é]{0,30}") {
            if let Some(address) = Address::parse(&uri) {
                prop_assert!(!address.what.readings().is_empty());
            }
        }
    }
}
