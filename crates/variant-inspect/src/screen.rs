//! [`Screen`]: the terminal mode of a full-screen program.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::execute;
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

use crate::failure::Failure;

static IS_ENTERED: AtomicBool = AtomicBool::new(false);

/// The terminal mode of a full-screen program. Dropping this value restores the terminal.
pub(crate) struct Screen;

impl Screen {
    pub(crate) fn enter(out: &mut dyn Write) -> Result<Self, Failure> {
        out.flush()?;
        enable_raw_mode().map_err(|error| {
            Failure::usage(format!("keys are read from a terminal, which is not there: {error}"))
        })?;
        let screen = Self;
        IS_ENTERED.store(true, Ordering::Relaxed);
        leave_on_panic();
        execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture, EnableBracketedPaste)?;
        Ok(screen)
    }

    /// Restores the terminal, if a screen was entered. A thread may call this, while another one has locked standard
    /// output.
    pub(crate) fn leave() {
        if !IS_ENTERED.load(Ordering::Relaxed) {
            return;
        }
        // If the terminal is gone, it need not be restored.
        let _ = unlocked().and_then(|mut out| {
            execute!(
                out,
                DisableBracketedPaste,
                DisableMouseCapture,
                LeaveAlternateScreen,
                crossterm::cursor::Show
            )
        });
        let _ = disable_raw_mode();
        IS_ENTERED.store(false, Ordering::Relaxed);
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        Self::leave();
    }
}

/// Standard output without its lock.
#[cfg(unix)]
fn unlocked() -> io::Result<std::fs::File> {
    use std::os::fd::AsFd as _;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

/// Standard output. Without signals, only the thread with the lock restores the terminal.
#[cfg(not(unix))]
fn unlocked() -> io::Result<io::Stdout> {
    Ok(io::stdout())
}

/// Restores the terminal before a panic prints its message. Otherwise the full-screen mode would hide the message.
fn leave_on_panic() {
    let told = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        Screen::leave();
        told(info);
    }));
}
