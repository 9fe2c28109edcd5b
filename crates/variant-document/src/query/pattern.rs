//! [`Pattern`]: a regular expression in a filter. Without the feature `regex`, paths with a regular expression are
//! refused.

#[derive(Clone, Debug)]
pub(crate) struct Pattern(#[cfg(feature = "regex")] regex::bytes::Regex);

#[cfg(feature = "regex")]
impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

#[cfg(feature = "regex")]
impl Pattern {
    pub(super) fn new(text: &str) -> Result<Self, regex::Error> {
        regex::bytes::Regex::new(text).map(Self)
    }

    /// Whether the text holds a match. O(bytes).
    pub(super) fn is_match(&self, text: &[u8]) -> bool {
        self.0.is_match(text)
    }
}

#[cfg(not(feature = "regex"))]
impl PartialEq for Pattern {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

#[cfg(not(feature = "regex"))]
impl Pattern {
    pub(super) fn new(_: &str) -> Result<Self, &'static str> {
        Err("patterns are not built in")
    }

    #[expect(clippy::unused_self, reason = "there is no pattern without the feature")]
    pub(super) const fn is_match(&self, _: &[u8]) -> bool {
        false
    }
}
