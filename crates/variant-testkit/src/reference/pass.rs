//! Section 2 of the specification: a value, and the values in it.

use super::event::{Event, Node, Role};
use super::fault::{Error, Parsed, Problem};
use super::header::header;
use super::limits::Meter;
use super::payload::{Items, Payload, payload};
use super::rules::Rules;
use super::{Reading, Summary};

/// A document that is being read.
#[derive(Debug)]
pub(super) struct Pass<'a> {
    whole: &'a [u8],
    rules: Rules,
    events: Vec<Event<'a>>,
    meter: Meter,
}

impl<'a> Pass<'a> {
    pub(super) fn new(whole: &'a [u8], rules: Rules) -> Self {
        Self { whole, rules, events: Vec::new(), meter: Meter::default() }
    }

    pub(super) fn read(mut self) -> Reading<'a> {
        let outcome = match self.value(self.whole, Role::Root, 0) {
            Ok((rest, ())) => Ok(self.summary(rest)),
            Err(nom::Err::Error(problem) | nom::Err::Failure(problem)) => Err(self.error(&problem)),
            Err(nom::Err::Incomplete(_)) => Err(self.error(&Problem::streaming(self.whole))),
        };
        Reading { events: self.events, outcome }
    }

    fn value(&mut self, input: &'a [u8], role: Role<'a>, depth: u32) -> Parsed<'a, ()> {
        self.meter.descend(self.rules, input, depth)?;
        let (rest, header) = header(input, self.rules)?;
        let (rest, payload) = payload(rest, header, self.rules, depth)?;
        let end = self.offset(rest);
        self.meter.count(self.rules, input, end)?;
        let node =
            |content| Node { kind: header.kind, offset: self.offset(input), depth, role, content };
        match payload {
            Payload::Leaf(content) => {
                let event = Event::Leaf(node(content), end);
                self.events.push(event);
                Ok((rest, ()))
            }
            Payload::Container(content, items) => {
                let event = Event::Enter(node(content));
                self.events.push(event);
                self.items(rest, items, depth)
            }
        }
    }

    fn items(&mut self, mut input: &'a [u8], items: Items, depth: u32) -> Parsed<'a, ()> {
        for value in 0..items.values() {
            let (rest, role) = items.role(value, input, self.rules)?;
            (input, ()) = self.value(rest, role, depth.saturating_add(1))?;
        }
        self.events.push(Event::Exit { end: self.offset(input), depth });
        Ok((input, ()))
    }

    fn offset(&self, rest: &[u8]) -> usize {
        self.whole.len().saturating_sub(rest.len())
    }

    fn summary(&self, rest: &[u8]) -> Summary {
        Summary {
            consumed: self.offset(rest),
            values: self.meter.values,
            depth: self.meter.deepest,
        }
    }

    fn error(&self, problem: &Problem<'a>) -> Error {
        Error { fault: problem.fault, offset: self.offset(problem.rest) }
    }
}
