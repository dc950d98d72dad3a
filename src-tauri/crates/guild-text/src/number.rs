//! Formats and compares numbers.

use serde_json::Number;

/// Formats a number with thousands separators: `2,000`.
pub fn grouped(number: impl ToString) -> String {
    let digits = number.to_string();
    let mut written = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            written.push(',');
        }
        written.push(digit);
    }
    written
}

/// Whether two numbers are equal, even if they are written differently: `1` and `1.0`.
pub fn is_same(one: &Number, other: &Number) -> bool {
    // Integers above 2^53 can differ while their nearest f64 values are equal.
    match (one.as_i128(), other.as_i128()) {
        (Some(one), Some(other)) => one == other,
        _ => one.as_f64() == other.as_f64(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grouped_separates_thousands() {
        for (number, expected) in [
            (0, "0"),
            (999, "999"),
            (2_000, "2,000"),
            (12_345, "12,345"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(grouped(number), expected);
        }
    }
}
