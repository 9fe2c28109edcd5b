//! [`State`]: what the messages of a game have shown.

use variant_view::Dialect;

use crate::envelope::Envelope;
use crate::family::{Family, Version, Versions};
use crate::limits::Limits;
use crate::message::{Line, Message, Stop};

/// The greatest length of a text that is kept.
const TEXT: usize = 256;

/// A thread that is stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The id of the thread; `None` in families without threads.
    pub thread: Option<i64>,
    /// The name of the thread, if the game sent it; cut after 256 bytes.
    pub thread_name: Option<String>,
    /// The reason: `Breakpoint`, or the text of a script error; cut after 256 bytes.
    pub reason: String,
    /// Whether the game can continue as if nothing had happened.
    pub can_continue: bool,
    /// Whether there is a stack to ask for; `None` if the game does not say.
    pub has_stack: Option<bool>,
}

/// What the messages of a game have shown. Bounded: a game may send anything.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) family: Option<Family>,
    pub(crate) versions: Versions,
    pub(crate) banner: Option<String>,
    pub(crate) pid: Option<i64>,
    pub(crate) main_thread: Option<i64>,
    pub(crate) stopped: Vec<Stopped>,
    limits: Limits,
}

impl State {
    pub(crate) fn new(family: Option<Family>, versions: Versions, limits: Limits) -> Self {
        let (banner, pid, main_thread, stopped) = (None, None, None, Vec::new());
        Self { family, versions, banner, pid, main_thread, stopped, limits }
    }

    /// Whether the thread is stopped; in families without threads, whether the game is.
    pub(crate) fn stop(&self, thread: Option<i64>) -> Option<&Stopped> {
        self.stopped.iter().find(|stopped| stopped.thread == thread)
    }

    /// Follows a message.
    pub(crate) fn follow(&mut self, envelope: &Envelope<'_>) {
        if self.family.is_none() || self.main_thread.is_none() {
            self.begin(envelope);
        }
        match &*envelope.name {
            "output" if self.banner.is_none() => self.take_banner(envelope),
            "debug_enter" => self.enter(envelope),
            "debug_exit" => self.stopped.retain(|stopped| stopped.thread != envelope.thread),
            "main_thread_id" if self.family == Some(Family::FramesThreads) => {
                self.main_thread = envelope.thread;
            }
            "set_pid" => {
                if let Message::SetPid { pid } = message(envelope) {
                    self.pid.get_or_insert(pid);
                }
            }
            "performance:profile_names" => self.take_names(envelope),
            _ => {}
        }
    }

    /// Learns from the first message.
    fn begin(&mut self, envelope: &Envelope<'_>) {
        let family = *self.family.get_or_insert(envelope.family);
        let (four, two) = (Version::new(4, 0), Version::new(4, 2));
        match family {
            Family::Frames => {}
            Family::FramesThreads => self.main_thread = self.main_thread.or(envelope.thread),
            Family::Array => self.versions.narrow((four..=Version::new(4, 1)).into()),
            Family::ArrayThreads => {
                self.main_thread = Some(1);
                self.versions.narrow((two..).into());
            }
        }
    }

    /// The engine's name and version: `Godot Engine v4.4.1.stable...`. Forks count their own versions.
    fn take_banner(&mut self, envelope: &Envelope<'_>) {
        let Message::Output(mut lines) = message(envelope) else { return };
        let Some(Ok(Line { text, .. })) = lines.next() else { return };
        let version =
            text.strip_prefix("Godot Engine v").and_then(|text| text.parse::<Version>().ok());
        if let Some(version) = version.filter(|_| envelope.family.is_array()) {
            self.versions.narrow(version.into());
        }
        self.banner = Some(cut(text.trim_end()));
    }

    fn enter(&mut self, envelope: &Envelope<'_>) {
        let Message::DebugEnter(stop) = message(envelope) else { return };
        if envelope.family == Family::ArrayThreads {
            let five = Version::new(4, 5);
            match &stop {
                Stop { thread_id: Some(_), .. } => self.versions.narrow((five..).into()),
                Stop { thread_name: Some(_), .. } => {
                    self.versions.narrow((Version::new(4, 2)..=Version::new(4, 4)).into());
                }
                _ => {}
            }
        }
        self.stopped.retain(|stopped| stopped.thread != envelope.thread);
        if self.stopped.len() < self.limits.threads.into() {
            self.stopped.push(Stopped {
                thread: envelope.thread,
                thread_name: stop.thread_name.as_deref().map(cut),
                reason: cut(&stop.reason),
                can_continue: stop.can_continue,
                has_stack: stop.has_stack,
            });
        }
    }

    fn take_names(&mut self, envelope: &Envelope<'_>) {
        if let Message::MonitorNames { kinds: Some(_), .. } = message(envelope) {
            self.versions.narrow((Version::new(4, 6)..).into());
        }
    }

    /// The dialect, if the family or what was read decides it. The inbox finds that of Godot 3 and Pandemonium 3.
    pub(crate) fn dialect(&self) -> Option<Dialect> {
        match self.family? {
            Family::Frames => None,
            Family::FramesThreads => Some(self.pandemonium()),
            Family::Array | Family::ArrayThreads => Some(Dialect::Godot4),
        }
    }

    /// Pandemonium 4 or 5: by its name, else by its thread, which version 4 names by a hash.
    fn pandemonium(&self) -> Dialect {
        let banner = self.banner.as_deref().unwrap_or_default();
        let version = banner.strip_prefix("Pandemonium Engine v");
        let is_4 = match version.and_then(|version| version.chars().next()) {
            Some('3' | '4') => true,
            Some(_) => false,
            None => self.main_thread.is_some_and(|thread| i32::try_from(thread).is_err()),
        };
        if is_4 { Dialect::Pandemonium4 } else { Dialect::Pandemonium5 }
    }
}

fn message<'a>(envelope: &Envelope<'a>) -> Message<'a> {
    Message::read(envelope.name.clone(), &envelope.elements())
}

/// The start of a text.
fn cut(text: &str) -> String {
    let mut ends = (0..=TEXT.min(text.len())).rev();
    let end = ends.find(|end| text.is_char_boundary(*end)).unwrap_or_default();
    text.get(..end).unwrap_or_default().to_owned()
}
