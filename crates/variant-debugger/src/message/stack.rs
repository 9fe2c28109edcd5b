//! [`Stop`], [`StackFrame`], [`Variable`]: a thread that has stopped.

use std::borrow::Cow;

use crate::value::Value;

/// A thread has stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop<'a> {
    /// Whether the game can continue as if nothing had happened; false after a script error. `Continue` works in either
    /// case.
    pub can_continue: bool,
    /// `Breakpoint`, or the text of a script error; empty after `Break` in Godot 4.
    pub reason: Cow<'a, str>,
    /// Whether there is a stack to ask for; `None` in Godot 3 and Pandemonium 3.
    pub has_stack: Option<bool>,
    /// The name of the thread (Pandemonium 4 and 5, Godot 4.2 to 4.4).
    pub thread_name: Option<Cow<'a, str>>,
    /// The id of the thread (Godot 4.5 and later).
    pub thread_id: Option<i64>,
}

/// A frame of a stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackFrame<'a> {
    /// The script, such as `res://main.gd`.
    pub file: Cow<'a, str>,
    /// The line, from 1.
    pub line: i64,
    /// The function.
    pub function: Cow<'a, str>,
}

/// A variable of a frame, or the value of an expression.
#[derive(Clone, Debug)]
pub struct Variable<'a> {
    /// The name; of an evaluation, the expression.
    pub name: Cow<'a, str>,
    /// Where it is declared.
    pub scope: Scope,
    /// The engine's id of the type, in the numbering of the dialect ([`Dialect::kind`]); `None` in Godot 3 and
    /// Pandemonium. It is the real type even if the value was too large and is `null`.
    ///
    /// [`Dialect::kind`]: variant_view::Dialect::kind
    pub type_id: Option<i64>,
    /// The value. Objects are ids.
    pub value: Value<'a>,
}

/// Where a variable is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// In the function: 0.
    Local,
    /// In the object: 1. The first is `self`.
    Member,
    /// In the program: 2.
    Global,
    /// The value of an expression: 3.
    Evaluation,
    /// Another number.
    Other(i64),
}
