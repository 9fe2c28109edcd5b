//! [`Tape`]: the structure of a JSON text as a flat list of nodes, built without recursion. Values are decoded on
//! demand.

use std::borrow::Cow;

use super::error::{JsonError, JsonErrorKind, short};
use super::fields::{Fault, expected};
use super::syntax::{self, unescape};
use crate::text::Text;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Null,
    Bool(bool),
    Number,
    String,
    Array,
    Object,
}

/// A value or a key, and its place in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) token: Token,
    /// The byte range in the text.
    pub(super) start: usize,
    pub(super) end: usize,
    /// The index of the first node after this node and its children.
    pub(super) next: usize,
    /// The number of elements of an array, or pairs of an object.
    pub(super) len: usize,
}

/// The nodes of a JSON document in text order; keys and values of objects alternate.
#[derive(Debug)]
pub(super) struct Tape<'t> {
    text: &'t str,
    nodes: Vec<Node>,
}

/// The node for an index out of range, which never occurs.
const NOWHERE: Node = Node { token: Token::Null, start: 0, end: 0, next: usize::MAX, len: 0 };

impl<'t> Tape<'t> {
    /// Parses the document at byte `start`, and returns it with its end. `None` at the end of the text. With `is_lax`,
    /// strings may hold unescaped control characters. O(its text); 40 bytes of memory per value.
    pub(super) fn parse(
        text: &'t str,
        start: usize,
        is_lax: bool,
    ) -> Result<Option<(Self, usize)>, JsonError> {
        match syntax::parse(text, start, is_lax) {
            Ok(found) => Ok(found.map(|(nodes, end)| (Self { text, nodes }, end))),
            Err((what, at)) => Err(syntax_error(what, text, at)),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn node(&self, at: usize) -> Node {
        self.nodes.get(at).copied().unwrap_or(NOWHERE)
    }

    pub(super) fn token(&self, at: usize) -> Token {
        self.node(at).token
    }

    /// The source text of a number, or of a string without its quotes.
    pub(super) fn source(&self, at: usize) -> &'t str {
        let node = self.node(at);
        let quote = usize::from(node.token == Token::String);
        let range = node.start.saturating_add(quote)..node.end.saturating_sub(quote);
        self.text.get(range).unwrap_or_default()
    }

    /// The unescaped text of a string.
    pub(super) fn string(&self, at: usize) -> Option<String> {
        (self.token(at) == Token::String).then(|| unescape(self.source(at)))
    }

    /// The unescaped text of a string; an error for other nodes.
    pub(super) fn text(&self, at: usize) -> Result<Text, Fault> {
        match self.token(at) {
            Token::String => Ok(Text::from(&*self.characters(at))),
            _ => expected("a string", at),
        }
    }

    /// The source of a number, or the unescaped text of a string; empty for other nodes.
    pub(super) fn characters(&self, at: usize) -> Cow<'t, str> {
        match self.token(at) {
            Token::String if self.source(at).contains('\\') => unescape(self.source(at)).into(),
            Token::String | Token::Number => self.source(at).into(),
            _ => "".into(),
        }
    }

    /// Whether the node is this string.
    pub(super) fn is(&self, at: usize, text: &str) -> bool {
        self.token(at) == Token::String && self.characters(at) == text
    }

    /// Describes the node in a few words, for messages.
    fn describe(&self, at: usize) -> String {
        let node = self.node(at);
        let plural = if node.len == 1 { "" } else { "s" };
        match node.token {
            Token::Null => "null".to_owned(),
            Token::Bool(value) => value.to_string(),
            Token::Number => format!("the number {}", short(self.source(at), SHOWN)),
            // The text is escaped, so that an input cannot send control sequences to a terminal.
            Token::String => format!("{:?}", short(&unescape(self.source(at)), SHOWN)),
            Token::Array => format!("an array of {}", node.len),
            Token::Object => format!("an object of {} field{plural}", node.len),
        }
    }

    /// The children of an array or an object; keys and values of objects alternate.
    pub(super) fn children(&self, at: usize) -> impl Iterator<Item = usize> {
        let node = self.node(at);
        let count = if node.token == Token::Object { node.len.saturating_mul(2) } else { node.len };
        std::iter::successors(Some(at.saturating_add(1)), |&at| Some(self.node(at).next))
            .take(count)
    }

    pub(super) fn error(&self, kind: JsonErrorKind, at: usize) -> JsonError {
        let start = self.node(at).start;
        JsonError::at(kind, self.text, start, self.pointer(at), self.describe(at))
    }

    /// The innermost node that starts at byte `start`. O(log nodes).
    pub(super) fn node_at(&self, start: usize) -> usize {
        self.nodes.partition_point(|node| node.start < start)
    }

    /// The JSON Pointer to a node. O(nodes before it).
    fn pointer(&self, wanted: usize) -> String {
        let mut pointer = String::new();
        let mut at = 0;
        while at < wanted {
            let is_object = self.token(at) == Token::Object;
            let holds = |&(_, child): &(usize, usize)| wanted < self.node(child).next;
            let Some((place, child)) = self.children(at).enumerate().find(holds) else { break };
            if !is_object {
                pointer.push('/');
                pointer.push_str(&place.to_string());
            } else if place.is_multiple_of(2) {
                break;
            } else {
                let key = self.children(at).nth(place.saturating_sub(1)).unwrap_or_default();
                let key = unescape(self.source(key)).replace('~', "~0").replace('/', "~1");
                pointer.push('/');
                pointer.push_str(&key);
            }
            at = child;
        }
        pointer
    }
}

/// The longest description of found text, in characters.
const SHOWN: usize = 40;

pub(super) fn syntax_error(what: &'static str, text: &str, at: usize) -> JsonError {
    let found = match text.get(at..).and_then(|rest| rest.chars().next()) {
        Some(c) => format!("{c:?}"),
        None => "the end of the text".to_owned(),
    };
    JsonError::at(JsonErrorKind::Syntax(what), text, at, String::new(), found)
}
