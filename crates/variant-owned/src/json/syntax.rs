//! The grammar of JSON (RFC 8259), without recursion.
//!
//! This module does not use a parser library for two reasons. Common parsers recurse, but a text may nest several times
//! deeper than the engines' limit, since one container can take several levels of JSON. And a parser of events does not
//! know the count of an array until its end, but the wire format has the count before the elements.

use super::tape::{Node, Token};

/// The nodes of a document, and its end.
type Nodes = (Vec<Node>, usize);

/// Parses the document at byte `start`, and returns it with its end. `None` at the end of the text. With `is_lax`,
/// strings may hold unescaped control characters. O(its text).
///
/// # Errors
/// The expected syntax, and the byte offset of the error.
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

    /// Reads a value, or the opening bracket of a container that is not empty. Returns true after a bracket: the first
    /// value of the container follows.
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

    /// Reads the text after a value: a comma, or closing brackets. Returns whether the document is complete.
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
                Some(b'\\') => {
                    self.step();
                    let escape = self.text.get(self.at..).unwrap_or_default();
                    let (outcome, rest) = match escaped(escape) {
                        Ok((_, rest)) => (Ok(()), rest),
                        Err((what, rest)) => (Err(what), rest),
                    };
                    self.at = self.text.len().saturating_sub(rest.len());
                    outcome?;
                }
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

/// Decodes an escape, given without its backslash; returns the character and the rest. The error has the expected
/// syntax, and the text at the error.
fn escaped(escape: &str) -> Result<(char, &str), (&'static str, &str)> {
    let mut rest = escape.chars();
    let c = match rest.next() {
        Some(c @ ('"' | '\\' | '/')) => c,
        Some('b') => '\u{8}',
        Some('f') => '\u{c}',
        Some('n') => '\n',
        Some('r') => '\r',
        Some('t') => '\t',
        Some('u') => return code_point(rest.as_str()),
        _ => return Err(("an escape", escape)),
    };
    Ok((c, rest.as_str()))
}

const OTHER_HALF: &str = "the other half of a surrogate pair";

/// Decodes the digits of a `\u` escape, and of the second escape of a surrogate pair.
fn code_point(digits: &str) -> Result<(char, &str), (&'static str, &str)> {
    let (high, rest) = unit(digits)?;
    match high {
        0xd800..0xdc00 => {
            let escape = rest.strip_prefix('\\').ok_or((OTHER_HALF, rest))?;
            let (low, rest) = unit(escape.strip_prefix('u').ok_or((OTHER_HALF, escape))?)?;
            let pair = char::decode_utf16([high, low]).next().and_then(std::result::Result::ok);
            pair.map(|c| (c, rest)).ok_or((OTHER_HALF, rest))
        }
        _ => match char::from_u32(high.into()) {
            Some(c) => Ok((c, rest)),
            None => Err(("no half of a surrogate pair", rest)),
        },
    }
}

fn unit(source: &str) -> Result<(u16, &str), (&'static str, &str)> {
    let digits = source.split_at_checked(4).filter(|(digits, _)| {
        // The digits are checked, because `from_str_radix` also accepts a sign.
        digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    });
    let unit =
        digits.and_then(|(digits, rest)| Some((u16::from_str_radix(digits, 16).ok()?, rest)));
    unit.ok_or(("four digits", source))
}

/// Decodes the escapes of a string whose syntax was checked before.
pub(super) fn unescape(mut source: &str) -> String {
    let mut text = String::with_capacity(source.len());
    while let Some((plain, escape)) = source.split_once('\\') {
        text.push_str(plain);
        let (c, rest) = escaped(escape).unwrap_or((char::REPLACEMENT_CHARACTER, ""));
        text.push(c);
        source = rest;
    }
    text.push_str(source);
    text
}
