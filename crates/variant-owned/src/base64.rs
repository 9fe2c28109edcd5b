//! Base64 with `=` padding, as newer engines print bytes.

use std::fmt::Display;

use base64::alphabet::STANDARD;
use base64::display::Base64Display;
use base64::engine::{Engine, GeneralPurpose, GeneralPurposeConfig};

/// Accepts any bits after the last decoded byte, because engines ignore these bits.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true),
);

pub(crate) fn encode(bytes: &[u8]) -> impl Display {
    Base64Display::new(bytes, &BASE64)
}

/// Decodes base64; `None` if the text is invalid.
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
