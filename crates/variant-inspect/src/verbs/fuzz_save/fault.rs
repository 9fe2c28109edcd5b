//! [`Fault`]: what a finding is about, apart from numbers in its text.

use std::collections::BTreeSet;

use crate::cli::FailOnArg;
use crate::verbs::debug::{Finding, Rule};

/// What makes two findings the same: rule, place in the script, and message without numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fault {
    rule: Rule,
    file: String,
    line: i64,
    message: String,
}

impl Fault {
    pub(super) fn of(finding: &Finding) -> Self {
        let place = finding.place().cloned().unwrap_or_default();
        let message = without_numbers(&finding.message);
        Self { rule: finding.rule, file: place.file, line: place.line, message }
    }
}

/// The text with `#` for each number and its sign.
fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    for part in text.split_inclusive(|c: char| !c.is_ascii_digit()) {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        if rest.len() < part.len() {
            out.truncate(out.strip_suffix('-').map_or(out.len(), str::len));
            out.push('#');
        }
        out.push_str(rest);
    }
    out
}

/// The findings of a run that count. A game that hangs or stays silent after an error of a script has only that error.
pub(super) fn failures(findings: &[Finding], fail_on: FailOnArg) -> Vec<&Finding> {
    let is_result = |finding: &Finding| matches!(finding.rule, Rule::Late | Rule::Missed);
    let fails = |finding: &&Finding| finding.rule.fails(fail_on);
    let has_cause = findings.iter().any(|finding| fails(&finding) && !is_result(finding));
    let counts = |finding: &&Finding| fails(finding) && !(has_cause && is_result(finding));
    let mut seen = BTreeSet::new();
    findings.iter().filter(counts).filter(|finding| seen.insert(Fault::of(finding))).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn finding(rule: Rule, message: &str) -> Finding {
        Finding::new(rule, Duration::ZERO, message)
    }

    #[test]
    fn numbers_do_not_make_another_fault() {
        let fault = |text| Fault::of(&finding(Rule::Script, text));
        assert_eq!(
            fault("get index '99' (on base: 'Array')"),
            fault("get index '7' (on base: 'Array')")
        );
        assert_ne!(
            fault("get index '7' (on base: 'Array')"),
            fault("get index '7' (on base: 'Nil')")
        );
        assert_eq!(without_numbers("12 é -3x45 - 6"), "# é #x# - #");
    }

    #[test]
    fn a_hang_after_an_error_is_not_a_fault() {
        let all =
            [finding(Rule::Script, "no"), finding(Rule::Late, "late"), finding(Rule::Engine, "e")];
        let rules = |fail_on| -> Vec<Rule> {
            failures(&all, fail_on).iter().map(|finding| finding.rule).collect()
        };
        assert_eq!(rules(FailOnArg::ScriptError), [Rule::Script]);
        assert_eq!(rules(FailOnArg::Error), [Rule::Script, Rule::Engine]);
        assert_eq!(failures(&all[1..2], FailOnArg::ScriptError).len(), 1);
    }
}
