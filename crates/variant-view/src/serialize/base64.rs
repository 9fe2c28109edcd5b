//! [`Bytes`]: bytes, written as base64 in human-readable formats.

use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use serde_core::ser::{Serialize, Serializer};

pub(super) struct Bytes<'b>(pub(super) &'b [u8]);

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if to.is_human_readable() && !super::is_own::<S>() {
            to.collect_str(&Base64Display::new(self.0, &STANDARD))
        } else {
            to.serialize_bytes(self.0)
        }
    }
}
