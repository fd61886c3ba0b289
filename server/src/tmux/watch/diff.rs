//! Which lines of a screen are new? Pure; for panes that can only be looked at now and then.

/// The lines of `now` that are not where they were `before`, give or take scrolling; and whether nothing is left of what
/// was there, so that more may have come and gone in between.
pub(super) fn fresh(before: &[String], now: &[String]) -> (Vec<String>, bool) {
    let Some(shift) = shift(before, now) else {
        let lost = before.iter().any(|line| !line.is_empty());
        return (now.iter().filter(|line| !line.is_empty()).cloned().collect(), lost);
    };
    let was = |index: usize| index.checked_add_signed(shift).and_then(|index| before.get(index));
    let new = |(index, line): (usize, &String)| match was(index) {
        _ if line.is_empty() => None,
        Some(old) if old == line => None,
        // A line that has grown: only what was added is new.
        Some(old) if !old.is_empty() && line.starts_with(old.as_str()) => Some(line[old.len()..].to_owned()),
        _ => Some(line.clone()),
    };
    (now.iter().enumerate().filter_map(new).collect(), false)
}

/// The lines of `now` that come after the last one of `before`, if that can be found in it.
pub(super) fn after(before: &[String], now: &[String]) -> Vec<String> {
    let Some(shift) = shift(before, now) else { return Vec::new() };
    let first = (before.len() as isize - 1 - shift).max(0) as usize;
    let last = before.last().map_or("", String::as_str);
    let lines = now.iter().skip(first).enumerate();
    let rest = lines.filter_map(|(index, line)| match index {
        0 => line.strip_prefix(last).map(str::to_owned),
        _ => Some(line.clone()),
    });
    rest.filter(|line| !line.is_empty()).collect()
}

/// How far a line stands lower in `before` than in `now`, for most lines. Nothing if no line is in both.
fn shift(before: &[String], now: &[String]) -> Option<isize> {
    let (old, new) = (before.len() as isize, now.len() as isize);
    let same = |shift: isize| {
        let both = (0.max(-shift)..new.min(old - shift)).map(|index| index as usize);
        both.filter(|&index| {
            let line = &now[index];
            !line.is_empty() && before[index.wrapping_add_signed(shift)] == *line
        })
        .count()
    };
    // The smallest shift of those that explain most.
    let mut shifts: Vec<isize> = (1 - new..old).collect();
    shifts.sort_by_key(|shift| shift.abs());
    let best = shifts.into_iter().map(|shift| (same(shift), shift)).rev().max_by_key(|(same, _)| *same)?;
    (best.0 > 0).then_some(best.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[track_caller]
    fn check(before: &str, now: &str, expected: &[&str], lost: bool) {
        assert_eq!(fresh(&lines(before), &lines(now)), (lines(&expected.join("\n")), lost));
    }

    #[test]
    fn what_is_new() {
        check("a\nb\n$", "a\nb\n$", &[], false);
        check("a\nb\n$", "a\nb\n$ ls\nfile\n$", &[" ls", "file", "$"], false);
        check("a\nb\nc", "b\nc\nd", &["d"], false);
        check("a\n10%\nz", "a\n20%\nz", &["20%"], false);
        check("a\nb", "c\nd", &["c", "d"], true);
        check("", "c", &["c"], false);
        check("a\na\na", "a\na\na\na", &["a"], false);
    }

    #[test]
    fn what_comes_after() {
        let check = |before: &str, now: &str, expected: &[&str]| {
            assert_eq!(after(&lines(before), &lines(now)), lines(&expected.join("\n")));
        };
        check("b\nc", "a\nb\nc\nd\ne", &["d", "e"]);
        check("b\nc", "a\nb\ncdef", &["def"]);
        check("b\nc", "a\nb\nc", &[]);
        check("x", "a", &[]);
    }

    proptest! {
        // Lines that differ and scroll by, of which some are still there.
        #[test]
        fn scrolling(from in 0usize..50, more in 0usize..20) {
            let screen = |from: usize| (from..from + 24).map(|n| format!("line {n}")).collect::<Vec<_>>();
            let (new, lost) = fresh(&screen(from), &screen(from + more));
            prop_assert_eq!(new, (from + 24..from + 24 + more).map(|n| format!("line {n}")).collect::<Vec<_>>());
            prop_assert!(!lost);
        }
    }
}
