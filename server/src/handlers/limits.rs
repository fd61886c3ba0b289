//! How much and for how long? What callers may ask for, and in which form they are told.

use std::time::Duration;

use super::errors::refused;

use schemux::ToolError;

/// How many of something are wanted; all without a number.
///
/// # Errors
///
/// Less than one: nothing can be meant by it.
pub fn at_most(name: &str, given: Option<i64>) -> Result<usize, ToolError> {
    match given.map(usize::try_from) {
        None => Ok(usize::MAX),
        Some(Ok(count @ 1..)) => Ok(count),
        Some(_) => Err(refused(format!("{name} must be at least 1"))),
    }
}

/// How long a wait may take: what was asked for, up to the ceiling.
///
/// # Errors
///
/// No time at all.
pub fn wait(timeout: f64, ceiling: Duration) -> Result<Duration, ToolError> {
    match Duration::try_from_secs_f64(timeout) {
        _ if timeout.is_nan() || timeout <= 0.0 => {
            Err(refused("timeout must be more than 0 seconds".to_owned()))
        }
        Ok(asked) => Ok(asked.min(ceiling)),
        // More than can be counted.
        Err(_) => Ok(ceiling),
    }
}

/// Seconds with three digits, as results tell them.
pub fn seconds(took: Duration) -> f64 {
    (took.as_secs_f64() * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_asked_for() {
        assert_eq!(at_most("max_lines", None), Ok(usize::MAX));
        assert_eq!(at_most("max_lines", Some(3)), Ok(3));
        for bad in [0, -1, i64::MIN] {
            assert!(at_most("max_lines", Some(bad)).unwrap_err().message.starts_with("max_lines must be"));
        }
        let ceiling = Duration::from_secs(30);
        assert_eq!(wait(0.5, ceiling), Ok(Duration::from_millis(500)));
        assert_eq!(wait(31.0, ceiling), Ok(ceiling));
        assert_eq!(wait(f64::INFINITY, ceiling), Ok(ceiling));
        for bad in [0.0, -0.0, -1.0, f64::NAN, f64::NEG_INFINITY] {
            assert!(wait(bad, ceiling).is_err(), "{bad}");
        }
        assert_eq!(seconds(Duration::from_micros(1_234_567)), 1.235);
    }
}
