//! [`Junit`]: a document of test results. Each file is a test suite of one test. A suite begins with its numbers of
//! tests and failures. For one test, these numbers are known at once, so no results are kept until the end.

use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use super::Checked;
use super::finding::Finding;
use super::print::name_of;
use crate::cli::SeverityArg;
use crate::failure::Status;
use crate::report::or_root;
use crate::terminal::Terminal;
use variant_document::escape::neutral_lines;

const SUITES: &str = "testsuites";

#[derive(Debug, Default)]
pub(super) struct Junit {
    is_begun: bool,
}

impl Junit {
    pub(super) fn file(
        &mut self,
        checked: &Checked,
        fail_on: SeverityArg,
        terminal: &mut Terminal<'_>,
    ) -> io::Result<()> {
        self.begin(terminal)?;
        let mut writer = Writer::new_with_indent(&mut terminal.out, b' ', 1);
        suite(&mut writer, checked, fail_on)?;
        writeln!(terminal.out)
    }

    fn begin(&mut self, terminal: &mut Terminal<'_>) -> io::Result<()> {
        if std::mem::replace(&mut self.is_begun, true) {
            return Ok(());
        }
        let mut writer = Writer::new_with_indent(&mut terminal.out, b' ', 1);
        writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        let start = BytesStart::new(SUITES).with_attributes([("name", "variant-inspect check")]);
        writer.write_event(Event::Start(start))?;
        writeln!(terminal.out)
    }

    pub(super) fn end(mut self, terminal: &mut Terminal<'_>) -> io::Result<()> {
        self.begin(terminal)?;
        let mut writer = Writer::new(&mut terminal.out);
        writer.write_event(Event::End(BytesEnd::new(SUITES)))?;
        writeln!(terminal.out)
    }
}

fn suite(
    writer: &mut Writer<impl Write>,
    checked: &Checked,
    fail_on: SeverityArg,
) -> io::Result<()> {
    let is_unread = checked.unread.is_some();
    let count = |is_one| if is_one { "1" } else { "0" };
    let name = text_of(&checked.name);
    let attributes = [
        ("name", name.as_str()),
        ("tests", "1"),
        ("failures", count(checked.status != Status::Fine && !is_unread)),
        ("errors", count(is_unread)),
    ];
    let suite = writer.create_element("testsuite").with_attributes(attributes);
    suite.write_inner_content(|writer| {
        let attributes = [("name", name.as_str()), ("classname", "variant-inspect.check")];
        let case = writer.create_element("testcase").with_attributes(attributes);
        case.write_inner_content(|writer| outcome(writer, checked, fail_on)).map(drop)
    })?;
    Ok(())
}

/// Writes the failure of a test, and the findings that do not make it fail.
fn outcome(
    writer: &mut Writer<impl Write>,
    checked: &Checked,
    fail_on: SeverityArg,
) -> io::Result<()> {
    if let Some(message) = &checked.unread {
        let message = text_of(message);
        let attributes = [("type", "unread"), ("message", message.as_str())];
        writer.create_element("error").with_attributes(attributes).write_empty()?;
        return Ok(());
    }
    let (worse, others): (Vec<_>, Vec<_>) =
        checked.kept().iter().partition(|finding| finding.rule.severity() >= fail_on);
    let mut lines: Vec<_> = damage(checked).into_iter().collect();
    lines.extend(worse.iter().map(|finding| line(finding)));
    let first = worse.first().map_or("damaged", |finding| finding.rule.id());
    if checked.status != Status::Fine {
        let (message, all) =
            (text_of(lines.first().map_or("", |line| line)), text_of(&lines.join("\n")));
        let attributes = [("type", first), ("message", message.as_str())];
        let failure = writer.create_element("failure").with_attributes(attributes);
        failure.write_text_content(BytesText::new(&all))?;
    }
    if !others.is_empty() {
        let lines: Vec<_> = others.iter().map(|finding| line(finding)).collect();
        let out = writer.create_element("system-out");
        out.write_text_content(BytesText::new(&text_of(&lines.join("\n"))))?;
    }
    Ok(())
}

/// The damage of a file in one line.
pub(super) fn damage(checked: &Checked) -> Option<String> {
    let verdict = checked.verdict.as_ref()?;
    let error = verdict.get("error")?.as_str()?;
    let path = verdict.get("path").and_then(|path| path.as_str()).unwrap_or_default();
    let offset = verdict.get("offset").and_then(serde_json::Value::as_u64).unwrap_or_default();
    Some(format!("byte {offset}: error damaged: {}: {error}", or_root(path)))
}

fn line(finding: &Finding) -> String {
    let Finding { rule, at, path, message, .. } = finding;
    let (severity, id, value) = (name_of(rule.severity()), rule.id(), finding.value());
    format!("{at}: {severity} {id}: {value}{}: {message}", or_root(path))
}

/// The text without the characters that XML does not allow, not even in escaped form.
fn text_of(text: &str) -> String {
    let is_none = |c: char| matches!(c, '\u{fffe}' | '\u{ffff}');
    neutral_lines(text).replace(is_none, "\u{fffd}")
}
