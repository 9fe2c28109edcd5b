//! [`Progress`]: a line on standard error during long work.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

#[cfg(feature = "table")]
use indicatif::HumanBytes;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

/// The time after which the line appears.
const PATIENCE: Duration = Duration::from_millis(500);

/// The time between two drawings of the line.
const TICK: Duration = Duration::from_millis(100);

/// A line on standard error that appears when work takes over half a second, and disappears at the end. The line
/// appears only on a terminal.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    /// The thread that shows the line waits until this sender is dropped, which happens when the work ends.
    _working: Option<Sender<()>>,
}

impl Progress {
    /// A line with the name of the work. If no thread starts, there is no line.
    pub fn start(what: String) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden())
            .with_message(what)
            .with_finish(ProgressFinish::AndClear);
        // The line has no bar, since the amount of work may be unknown.
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}, {elapsed}") {
            bar.set_style(style);
        }
        let (working, is_done) = channel::<()>();
        let shown = bar.clone();
        let show = move || {
            if is_done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(TICK);
            }
        };
        let thread = thread::Builder::new().name("progress".to_owned()).spawn(show);
        Self { bar, _working: thread.is_ok().then_some(working) }
    }

    /// Calls `print` while the line is hidden.
    pub fn suspend<R>(&self, print: impl FnOnce() -> R) -> R {
        self.bar.suspend(print)
    }

    /// Sets the number of files.
    pub(crate) fn files(&self, count: usize) {
        self.steps(u64::try_from(count).unwrap_or(u64::MAX), "files");
    }

    /// Sets the number of steps, and what a step is.
    pub(crate) fn steps(&self, count: u64, unit: &str) {
        let template = format!(
            "{{spinner}} {{msg}}: {{human_pos}} of {{human_len}} {unit}, {{prefix}}{{elapsed}}"
        );
        if let Ok(style) = ProgressStyle::with_template(&template) {
            self.bar.set_style(style);
            self.bar.set_length(count);
        }
    }

    /// Sets the number of files that were read, and the number of their bytes.
    #[cfg(feature = "table")]
    pub(crate) fn files_read(&self, files: u64, bytes: u64) {
        self.bar.set_position(files);
        self.bar.set_prefix(format!("{}, ", HumanBytes(bytes)));
    }

    /// Counts one more file or step as done.
    pub(crate) fn file_done(&self) {
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
