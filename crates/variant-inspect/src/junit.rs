//! [`Junit`]: a document of test results. Each test is a suite of one test. A suite begins with its numbers of tests and
//! failures. For one test, these numbers are known at once, so no results are kept until the end.

use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use variant_document::escape::neutral_lines;

const SUITES: &str = "testsuites";

/// A test and its result.
#[derive(Debug, Default)]
pub(crate) struct Test {
    pub(crate) name: String,
    /// Why the test failed or has no result; none if it passed.
    pub(crate) fault: Option<Fault>,
    /// Lines that do not make the test fail.
    pub(crate) notes: Vec<String>,
}

/// Why a test did not pass.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The test has no result.
    Error { kind: &'static str, message: String },
    /// The test failed. The first line is the message.
    Failure { kind: &'static str, lines: Vec<String> },
}

/// A writer of a document.
#[derive(Debug)]
pub(crate) struct Junit {
    /// The command that makes the document.
    verb: &'static str,
    is_begun: bool,
}

impl Junit {
    pub(crate) const fn new(verb: &'static str) -> Self {
        Self { verb, is_begun: false }
    }

    pub(crate) fn test(&mut self, test: &Test, out: &mut dyn Write) -> io::Result<()> {
        self.begin(out)?;
        let class = format!("variant-inspect.{}", self.verb);
        suite(&mut Writer::new_with_indent(&mut *out, b' ', 1), test, &class)?;
        writeln!(out)
    }

    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if std::mem::replace(&mut self.is_begun, true) {
            return Ok(());
        }
        let name = format!("variant-inspect {}", self.verb);
        let mut writer = Writer::new_with_indent(&mut *out, b' ', 1);
        writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        let start = BytesStart::new(SUITES).with_attributes([("name", name.as_str())]);
        writer.write_event(Event::Start(start))?;
        writeln!(out)
    }

    pub(crate) fn end(mut self, out: &mut dyn Write) -> io::Result<()> {
        self.begin(out)?;
        Writer::new(&mut *out).write_event(Event::End(BytesEnd::new(SUITES)))?;
        writeln!(out)
    }
}

fn suite(writer: &mut Writer<impl Write>, test: &Test, class: &str) -> io::Result<()> {
    let count = |is_one| if is_one { "1" } else { "0" };
    let name = text_of(&test.name);
    let attributes = [
        ("name", name.as_str()),
        ("tests", "1"),
        ("failures", count(matches!(test.fault, Some(Fault::Failure { .. })))),
        ("errors", count(matches!(test.fault, Some(Fault::Error { .. })))),
    ];
    let suite = writer.create_element("testsuite").with_attributes(attributes);
    suite.write_inner_content(|writer| {
        let attributes = [("name", name.as_str()), ("classname", class)];
        let case = writer.create_element("testcase").with_attributes(attributes);
        case.write_inner_content(|writer| outcome(writer, test)).map(drop)
    })?;
    Ok(())
}

/// Writes the fault of a test, and its notes.
fn outcome(writer: &mut Writer<impl Write>, test: &Test) -> io::Result<()> {
    match &test.fault {
        Some(Fault::Error { kind, message }) => {
            let message = text_of(message);
            let attributes = [("type", *kind), ("message", message.as_str())];
            writer.create_element("error").with_attributes(attributes).write_empty()?;
        }
        Some(Fault::Failure { kind, lines }) => {
            let message = text_of(lines.first().map_or("", String::as_str));
            let all = text_of(&lines.join("\n"));
            let attributes = [("type", *kind), ("message", message.as_str())];
            let failure = writer.create_element("failure").with_attributes(attributes);
            failure.write_text_content(BytesText::new(&all))?;
        }
        None => {}
    }
    if !test.notes.is_empty() {
        let out = writer.create_element("system-out");
        out.write_text_content(BytesText::new(&text_of(&test.notes.join("\n"))))?;
    }
    Ok(())
}

/// The text without the characters that XML does not allow, not even in escaped form.
fn text_of(text: &str) -> String {
    let is_none = |c: char| matches!(c, '\u{fffe}' | '\u{ffff}');
    neutral_lines(text).replace(is_none, "\u{fffd}")
}
