//! The grammar of JSON (RFC 8259), without recursion.
//!
//! Parsed by hand: the usual parsers recurse, and containers may nest as deep as the engines have them
//! several times over; and counts, which come first on the wire, are known only at the end of an array.

use super::tape::{Node, Token};

/// The nodes of a document, and where it ends.
type Nodes = (Vec<Node>, usize);

/// The nodes of the document that starts at byte `start`, if there is one, and where it ends. Strings may hold bare control
/// characters if they are `lax`. O(its text).
///
/// # Errors
/// What should have stood where.
pub(super) fn parse(
    text: &str,
    start: usize,
    is_lax: bool,
) -> Result<Option<Nodes>, (&'static str, usize)> {
    let bytes = text.as_bytes();
    let mut parser = Parser { text, bytes, at: start, nodes: Vec::new(), open: Vec::new(), is_lax };
    if parser.skip_space().is_none() {
        return Ok(None);
    }
    match parser.document() {
        Ok(()) => Ok(Some((parser.nodes, parser.at))),
        Err(what) => Err((what, parser.at)),
    }
}

struct Parser<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    nodes: Vec<Node>,
    open: Vec<usize>,
    is_lax: bool,
}

type Result<T = (), E = &'static str> = std::result::Result<T, E>;

impl Parser<'_> {
    fn document(&mut self) -> Result {
        loop {
            if !self.value()? && self.behind_value()? {
                return Ok(());
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn step(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    fn skip_space(&mut self) -> Option<u8> {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.step();
        }
        self.peek()
    }

    /// Reads a value, or the start of one; then says so, and what is next is a value again.
    fn value(&mut self) -> Result<bool> {
        let start = match self.skip_space() {
            Some(b'{') => return self.opened(Token::Object, b'}'),
            Some(b'[') => return self.opened(Token::Array, b']'),
            _ => self.at,
        };
        let token = match self.peek() {
            Some(b'"') => self.string()?,
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.word("true", Token::Bool(true))?,
            Some(b'f') => self.word("false", Token::Bool(false))?,
            Some(b'n') => self.word("null", Token::Null)?,
            _ => return Err("a value"),
        };
        self.push(token, start);
        Ok(false)
    }

    fn push(&mut self, token: Token, start: usize) {
        let next = self.nodes.len().saturating_add(1);
        self.nodes.push(Node { token, start, end: self.at, next, len: 0 });
    }

    fn opened(&mut self, token: Token, close: u8) -> Result<bool> {
        let start = self.at;
        self.step();
        let place = self.nodes.len();
        self.push(token, start);
        if self.skip_space() == Some(close) {
            self.step();
            return Ok(false);
        }
        self.open.push(place);
        if token == Token::Object {
            self.key()?;
        }
        Ok(true)
    }

    fn key(&mut self) -> Result {
        if self.skip_space() != Some(b'"') {
            return Err("a key");
        }
        let start = self.at;
        let token = self.string()?;
        self.push(token, start);
        if self.skip_space() != Some(b':') {
            return Err("a colon");
        }
        self.step();
        Ok(())
    }

    /// Closes what ends behind a value, and says whether that was the document.
    fn behind_value(&mut self) -> Result<bool> {
        loop {
            let Some(&place) = self.open.last() else { return Ok(true) };
            let next = self.skip_space();
            let behind = self.nodes.len();
            let Some(node) = self.nodes.get_mut(place) else { return Err("a value") };
            node.len = node.len.saturating_add(1);
            let is_object = node.token == Token::Object;
            match next {
                Some(b',') => {
                    self.step();
                    if is_object {
                        self.key()?;
                    }
                    return Ok(false);
                }
                Some(b'}') if is_object => {}
                Some(b']') if !is_object => {}
                _ => return Err(if is_object { "a comma or }" } else { "a comma or ]" }),
            }
            self.step();
            node_end(self.nodes.get_mut(place), self.at, behind);
            self.open.pop();
        }
    }

    fn word(&mut self, word: &str, token: Token) -> Result<Token> {
        if !self.bytes.get(self.at..).unwrap_or_default().starts_with(word.as_bytes()) {
            return Err("a value");
        }
        self.at = self.at.saturating_add(word.len());
        Ok(token)
    }

    fn string(&mut self) -> Result<Token> {
        self.step();
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => self.escape()?,
                Some(0..=0x1f) if !self.is_lax => {
                    return Err("an escape such as \\n or \\u0001 for a control character");
                }
                Some(_) => self.step(),
                None => return Err("the end of the string"),
            }
        }
        self.step();
        Ok(Token::String)
    }

    fn escape(&mut self) -> Result {
        self.step();
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.step(),
            Some(b'u') => {
                let high = self.unit()?;
                if (0xdc00..0xe000).contains(&high) {
                    return Err("no half of a surrogate pair");
                }
                if (0xd800..0xdc00).contains(&high) {
                    if self.peek() != Some(b'\\') {
                        return Err("the other half of a surrogate pair");
                    }
                    self.step();
                    if self.peek() != Some(b'u') || !(0xdc00..0xe000).contains(&self.unit()?) {
                        return Err("the other half of a surrogate pair");
                    }
                }
            }
            _ => return Err("an escape"),
        }
        Ok(())
    }

    /// Four digits behind a `u`.
    fn unit(&mut self) -> Result<u32> {
        self.step();
        let end = self.at.saturating_add(4);
        let unit = self.text.get(self.at..end).and_then(hex_unit).ok_or("four digits")?;
        self.at = end;
        Ok(unit)
    }

    fn number(&mut self) -> Result<Token> {
        if self.peek() == Some(b'-') {
            self.step();
        }
        if self.peek() == Some(b'0') {
            self.step();
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.step();
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.step();
            if let Some(b'+' | b'-') = self.peek() {
                self.step();
            }
            self.digits()?;
        }
        Ok(Token::Number)
    }

    fn digits(&mut self) -> Result {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.step();
        }
        if self.at == start { Err("a digit") } else { Ok(()) }
    }
}

fn node_end(node: Option<&mut Node>, end: usize, next: usize) {
    if let Some(node) = node {
        node.end = end;
        node.next = next;
    }
}

fn hex_unit(digits: &str) -> Option<u32> {
    // Rust would take a sign as well.
    let are_digits = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    are_digits.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}

/// What a string that has been checked stands for.
pub(super) fn unescape(mut source: &str) -> String {
    let mut text = String::with_capacity(source.len());
    while let Some((plain, escaped)) = source.split_once('\\') {
        text.push_str(plain);
        let mut rest = escaped.chars();
        match rest.next() {
            Some('b') => text.push('\u{8}'),
            Some('f') => text.push('\u{c}'),
            Some('n') => text.push('\n'),
            Some('r') => text.push('\r'),
            Some('t') => text.push('\t'),
            Some('u') => {
                let high = rest.as_str().get(..4).and_then(hex_unit).unwrap_or_default();
                let tail = rest.as_str().get(4..).unwrap_or_default();
                let (point, tail) = code_point(high, tail);
                text.push(char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER));
                source = tail;
                continue;
            }
            Some(other) => text.push(other),
            None => {}
        }
        source = rest.as_str();
    }
    text.push_str(source);
    text
}

/// A code point, of whose two halves the second may stand in `tail`; and what is behind it.
fn code_point(high: u32, tail: &str) -> (u32, &str) {
    if !(0xd800..0xdc00).contains(&high) {
        return (high, tail);
    }
    let low = tail.get(2..6).and_then(hex_unit).unwrap_or_default();
    let point = ((high & 0x3ff) << 10 | (low & 0x3ff)).saturating_add(0x1_0000);
    (point, tail.get(6..).unwrap_or_default())
}
