//! Options of sessions and games by their names in Python.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use variant_debugger::{Family, GameOptions, Limits, SessionOptions, Version};
use variant_document::names::{self, one_of};
use variant_view::Dialect;

use crate::options::unknown;

pub(super) fn session(
    family_name: Option<&str>,
    dialect: Option<&str>,
    version: Option<&str>,
) -> PyResult<SessionOptions> {
    let mut options = SessionOptions::default();
    options.family = family_name.map(family).transpose()?;
    options.dialect = dialect.map(names::dialect).transpose().map_err(unknown)?;
    Ok(match version {
        Some(version) => options.versions(self::version(version)?),
        None => options,
    })
}

/// The options of a session that reads messages of `session` again: the excess is counted once.
pub(super) fn known(session: &variant_debugger::Session, limits: Limits) -> SessionOptions {
    let mut options = SessionOptions::default().limits(limits.messages(u32::MAX));
    options.family = session.family();
    options.dialect = session.dialect();
    options
}

pub(super) fn game(
    dialect: &str,
    version: Option<&str>,
    main_thread: Option<i64>,
    limits: Limits,
) -> PyResult<GameOptions> {
    let options = match (names::dialect(dialect).map_err(unknown)?, version) {
        (Dialect::Godot4, None) => GameOptions::GODOT_4,
        (Dialect::Godot4, Some(version)) => GameOptions::godot_4(self::version(version)?),
        (dialect, _) => {
            let family = Family::ALL.iter().find(|family| family.has_dialect(dialect));
            let none = || PyValueError::new_err(format!("{dialect} has no remote debugger"));
            GameOptions::GODOT_3.dialect(*family.ok_or_else(none)?, dialect)
        }
    };
    let thread = main_thread.unwrap_or(options.main_thread);
    Ok(options.main_thread(thread).limits(limits))
}

/// `base` with the limits that a `dict` names.
pub(super) fn limits(base: Limits, given: Option<&Bound<'_, PyDict>>) -> PyResult<Limits> {
    let mut limits = base;
    for (name, value) in given.into_iter().flatten() {
        let name: String = name.extract()?;
        let number = |value: &Bound<'_, PyAny>| value.extract::<u32>();
        limits = match name.as_str() {
            "frame" => limits.frame(number(&value)?),
            "message" => limits.message(number(&value)?),
            "frames" => limits.frames(number(&value)?),
            "depth" => limits.depth(number(&value)?),
            "values" => limits.values(value.extract()?),
            "messages" => limits.messages(number(&value)?),
            _ => {
                let all = "frame, message, frames, depth, values, messages";
                return Err(PyTypeError::new_err(format!("limits: {name}; there are {all}")));
            }
        };
    }
    Ok(limits)
}

fn family(name: &str) -> PyResult<Family> {
    let all = Family::ALL.map(|family| (family.name(), family));
    one_of("family", name, &all).map_err(unknown)
}

fn version(text: &str) -> PyResult<Version> {
    text.parse().map_err(|error| PyValueError::new_err(format!("version: {text:?} is {error}")))
}
