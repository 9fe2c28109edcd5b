//! Base64 with `=` at the end, in which newer engines print bytes.

use std::fmt::Display;

use base64::alphabet::STANDARD;
use base64::display::Base64Display;
use base64::engine::{Engine, GeneralPurpose, GeneralPurposeConfig};

/// Bits behind the last byte do not matter to engines.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true),
);

pub(crate) fn encode(bytes: &[u8]) -> impl Display {
    Base64Display::new(bytes, &BASE64)
}

/// None if it is no base64.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    BASE64.decode(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v")] {
            assert_eq!(encode(bytes.as_bytes()).to_string(), text);
            assert_eq!(decode(text).unwrap(), bytes.as_bytes());
        }
        assert_eq!(decode("Zh==").unwrap(), b"f");
        for bad in ["Z", "Zg=", "Zg==Zg==", "Z===", "Z*==", "===="] {
            assert_eq!(decode(bad), None, "{bad}");
        }
    }
}
