//! The values of the options of `debug`.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::ValueEnum;

/// `--fail-on`: the least grave finding that makes a run fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum FailOnArg {
    /// Also warnings, and messages that the game left out.
    Warning,
    /// Also errors of the engine and of `push_error`.
    Error,
    /// Only failures of scripts, crashes, and exit statuses other than 0.
    ScriptError,
}

/// A duration in seconds.
pub(in crate::cli) fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.strip_suffix('s').unwrap_or(text).parse::<f64>();
    let time = number.ok().and_then(|number| Duration::try_from_secs_f64(number).ok());
    time.ok_or_else(|| "expected a number of seconds, such as 2.5".to_owned())
}

/// The form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportForm {
    /// Test results as XML.
    Junit,
    /// SARIF 2.1.0.
    Sarif,
    /// A JSON object for each finding.
    Json,
}

/// `--report`: a form and a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportArg {
    /// The form.
    pub form: ReportForm,
    /// The file.
    pub file: PathBuf,
}

impl FromStr for ReportArg {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "expected junit=FILE, sarif=FILE or json=FILE";
        let (form, file) = text.split_once('=').ok_or(EXPECTED)?;
        let form = match form {
            "junit" => ReportForm::Junit,
            "sarif" => ReportForm::Sarif,
            "json" => ReportForm::Json,
            _ => return Err(EXPECTED),
        };
        let file = (!file.is_empty()).then(|| PathBuf::from(file)).ok_or(EXPECTED)?;
        Ok(Self { form, file })
    }
}

/// A line of a script, as the engine names it: `res://main.gd:33`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLine {
    /// The path of the script.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

impl FromStr for SourceLine {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "expected FILE:LINE, such as main.gd:33";
        let (file, line) = text.rsplit_once(':').ok_or(EXPECTED)?;
        let line = line.parse().ok().filter(|line| *line > 0).ok_or(EXPECTED)?;
        if file.is_empty() {
            return Err(EXPECTED);
        }
        // Scripts are named by their path in the project.
        let is_whole = file.contains("://");
        let file = if is_whole { file.to_owned() } else { format!("res://{file}") };
        Ok(Self { file, line })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_script_has_the_engine_s_name() {
        for (text, file) in [
            ("main.gd:33", "res://main.gd"),
            ("res://a/b.gd:33", "res://a/b.gd"),
            ("user://x.gd:33", "user://x.gd"),
        ] {
            assert_eq!(text.parse(), Ok(SourceLine { file: file.to_owned(), line: 33 }));
        }
        for text in ["main.gd", "main.gd:0", "main.gd:x", ":3", "main.gd:-1"] {
            assert!(text.parse::<SourceLine>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_report_has_a_form_and_a_file() {
        let report = "junit=a=b.xml".parse::<ReportArg>().unwrap();
        assert_eq!((report.form, report.file), (ReportForm::Junit, "a=b.xml".into()));
        for text in ["junit", "junit=", "xml=a"] {
            assert!(text.parse::<ReportArg>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_time_is_a_number_of_seconds() {
        assert_eq!(seconds("2.5"), Ok(Duration::from_millis(2500)));
        assert_eq!(seconds("60s"), Ok(Duration::from_secs(60)));
        for text in ["", "-1", "NaN", "1e30", "1m"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
