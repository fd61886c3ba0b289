//! Which variables look as if they hold a secret? Pure: names and values are handed in.
//!
//! A model needs to know that a variable is there more often than what it says, and what it has read it can repeat anywhere.

/// What stands in the place of a value that is not shown.
pub const WITHHELD: &str = "[withheld]";

/// Anywhere in a name.
const ANYWHERE: &[&str] = &[
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "CREDENTIAL",
    "COOKIE",
    "PRIVATE",
    "APIKEY",
    "ACCESSKEY",
];

/// As a word of a name, between underscores and the like.
const WORDS: &[&str] = &["KEY", "KEYS", "PASS", "PW", "PWD", "AUTH", "CRED", "CREDS", "DSN", "PAT", "JWT"];

/// How the tokens of well-known services begin, and what stands before one in a header.
const PREFIXES: &[&str] = &[
    "AIza",
    "AKIA",
    "ASIA",
    "Basic ",
    "Bearer ",
    "eyJ",
    "gho_",
    "ghp_",
    "ghr_",
    "ghs_",
    "ghu_",
    "github_pat_",
    "glpat-",
    "npm_",
    "sk-",
    "sk_live_",
    "xox",
];

/// Shorter texts are no tokens.
const TOKEN: usize = 20;

/// Where a shell is, and whether fish keeps a history, whatever the words say.
const HARMLESS: &[&str] = &["PWD", "OLDPWD", "FISH_PRIVATE_MODE"];

/// The variables whose values are shown although they look secret.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown {
    all: bool,
    names: Vec<String>,
}

impl Shown {
    /// Reads names with commas between; `*` is every name.
    pub fn new(names: &str) -> Self {
        let names: Vec<_> = names.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
        Shown { all: names.contains(&"*"), names: names.into_iter().map(str::to_owned).collect() }
    }

    /// Whether the value may be shown.
    pub fn allows(&self, name: &str, value: &str) -> bool {
        self.all
            || self.names.iter().any(|shown| shown == name)
            || !(is_secret_name(name) || is_secret_value(value))
    }
}

fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let is_word = |word: &str| WORDS.contains(&word);
    let words = || name.split(|c: char| !c.is_ascii_alphanumeric());
    !HARMLESS.contains(&name.as_str())
        && (ANYWHERE.iter().any(|part| name.contains(part)) || words().any(is_word))
}

/// An address with a password in it, a private key, or a token.
fn is_secret_value(value: &str) -> bool {
    has_password(value) || value.contains("PRIVATE KEY-----") || is_token(value)
}

fn is_token(value: &str) -> bool {
    let rest = PREFIXES.iter().find_map(|prefix| value.strip_prefix(prefix));
    // One run of letters and digits: no path, no list, no sentence.
    let in_token = |c: char| c.is_ascii_alphanumeric() || "-_.=+/".contains(c);
    value.len() >= TOKEN
        && rest.is_some_and(|rest| rest.chars().all(in_token) && rest.contains(|c: char| c.is_ascii_digit()))
}

fn has_password(value: &str) -> bool {
    value.match_indices("://").any(|(at, mark)| {
        let rest = &value[at + mark.len()..];
        let authority = rest.split(['/', '?', '#', ' ', '\n']).next().unwrap_or_default();
        let user = authority.rsplit_once('@').map(|(user, _)| user);
        user.and_then(|user| user.split_once(':')).is_some_and(|(_, password)| !password.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_secret() {
        for name in [
            "SECRET_TOKEN",
            "GITHUB_TOKEN",
            "githubToken",
            "DB_PASSWORD",
            "MYSQL_PWD",
            "AWS_SECRET_ACCESS_KEY",
            "api-key",
            "OPENAI_API_KEY",
            "OPENAI_APIKEY",
            "GOOGLE_APPLICATION_CREDENTIALS",
            "SESSION_COOKIE",
            "SENTRY_DSN",
            "npm_config__auth",
            "PGPASSWORD",
            "SSH_PRIVATE",
            "ENCRYPTION_KEYS",
            "BASIC_AUTH",
        ] {
            assert!(is_secret_name(name), "{name}");
        }
        for name in [
            "PATH",
            "PWD",
            "OLDPWD",
            "HOME",
            "KEYBOARD",
            "GIT_AUTHOR_NAME",
            "MONKEY",
            "XAUTHORITY",
            "fish_private_mode",
            "SSH_ASKPASS",
            "",
        ] {
            assert!(!is_secret_name(name), "{name}");
        }
    }

    #[test]
    fn values_that_look_secret() {
        for value in [
            "postgres://user:hunter2@host/db",
            "https://:hunter2@host",
            "a b https://me:p@ss@host x",
            "-----BEGIN RSA PRIVATE KEY-----",
            "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
            "sk-abcdefghijklmnopqrstuvwxyz012345",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
            "xoxb-123456789012-abcdefghijkl",
            "AKIAIOSFODNN7EXAMPLE",
            "Bearer 0123456789abcdef",
        ] {
            assert!(is_secret_value(value), "{value}");
        }
        for value in [
            "https://host:80/a@b",
            "https://me@host",
            "https://me:@host",
            "a:b@c",
            "://",
            "http://h/?q=a:b@c",
            "sk-1",
            "ghostty --title 2 /usr/share/ghostty",
            "npm_is_not_what_it_says",
            "AIza, AKIA and ASIA are 3 of them",
        ] {
            assert!(!is_secret_value(value), "{value}");
        }
    }

    #[test]
    fn what_is_named_is_shown() {
        assert!(!Shown::default().allows("A_TOKEN", "x"));
        assert!(Shown::default().allows("A", "x"));
        let some = Shown::new(" A_TOKEN, B_KEY ,");
        assert!(some.allows("A_TOKEN", "x") && some.allows("B_KEY", "x") && !some.allows("C_KEY", "x"));
        assert!(some.allows("A_TOKEN", "https://a:b@c"));
        assert!(Shown::new("*").allows("C_KEY", "x"));
        assert_eq!(Shown::new(""), Shown::default());
    }
}
