//! [`Transcript`]: recorded output, to be replayed in order.

use std::cell::RefCell;
use std::io::{self, Write};

use crate::cli::CommonArgs;
use crate::terminal::Terminal;

/// Recorded output of both streams, in order.
#[derive(Debug, Default)]
pub(crate) struct Transcript {
    parts: RefCell<Vec<(Stream, Vec<u8>)>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stream {
    Out,
    Err,
}

/// Records output with the options and the colours of a terminal, on any thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recorder<'t> {
    common: &'t CommonArgs,
    is_out_terminal: bool,
    is_out_coloured: bool,
    is_err_coloured: bool,
}

impl<'t> Recorder<'t> {
    pub(crate) const fn of(terminal: &Terminal<'t>) -> Self {
        let Terminal { common, is_out_terminal, is_out_coloured, is_err_coloured, .. } = *terminal;
        Self { common, is_out_terminal, is_out_coloured, is_err_coloured }
    }

    /// Calls `work` and records its output.
    pub(crate) fn record<R>(self, work: impl FnOnce(&mut Terminal<'_>) -> R) -> (R, Transcript) {
        let transcript = Transcript::default();
        let [mut out, mut err] =
            [Stream::Out, Stream::Err].map(|stream| Pen { transcript: &transcript, stream });
        let Self { common, is_out_terminal, is_out_coloured, is_err_coloured } = self;
        let terminal = Terminal::of(&mut out, &mut err);
        let result = work(&mut Terminal {
            common,
            is_out_terminal,
            is_out_coloured,
            is_err_coloured,
            ..terminal
        });
        (result, transcript)
    }
}

impl Transcript {
    /// Writes both recorded streams to the stream of notes, for a command whose result has standard output.
    pub(crate) fn play_beside(self, terminal: &mut Terminal<'_>) -> io::Result<()> {
        terminal.out.flush()?;
        let mut parts = self.parts.into_inner().into_iter();
        parts.try_for_each(|(_, bytes)| terminal.err.write_all(&bytes))
    }

    /// Writes the recorded output to `terminal`.
    pub(crate) fn play(self, terminal: &mut Terminal<'_>) -> io::Result<()> {
        for (stream, bytes) in self.parts.into_inner() {
            match stream {
                Stream::Out => terminal.out.write_all(&bytes)?,
                Stream::Err => {
                    terminal.out.flush()?;
                    terminal.err.write_all(&bytes)?;
                }
            }
        }
        Ok(())
    }
}

struct Pen<'t> {
    transcript: &'t Transcript,
    stream: Stream,
}

impl Write for Pen<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut parts = self.transcript.parts.borrow_mut();
        match parts.last_mut() {
            Some((stream, part)) if *stream == self.stream => part.extend_from_slice(bytes),
            _ => parts.push((self.stream, bytes.to_vec())),
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn speak(terminal: &mut Terminal<'_>) -> io::Result<()> {
        terminal.note("first")?;
        write!(terminal.out, "one, ")?;
        writeln!(terminal.out, "two")?;
        terminal.error("after two")?;
        writeln!(terminal.err, "  and this")?;
        writeln!(terminal.out, "three")
    }

    /// Both streams of a terminal as one text, as on a screen.
    fn screen(is_coloured: bool, work: impl FnOnce(&mut Terminal<'_>)) -> String {
        let (is_out_coloured, is_err_coloured) = (is_coloured, is_coloured);
        let parts = recorded(|plain| Recorder { is_out_coloured, is_err_coloured, ..plain }, work);
        parts.concat()
    }

    fn recorded(
        change: impl FnOnce(Recorder<'_>) -> Recorder<'_>,
        work: impl FnOnce(&mut Terminal<'_>),
    ) -> Vec<String> {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let recorder = change(Recorder::of(&Terminal::of(&mut out, &mut err)));
        let parts = recorder.record(work).1.parts.into_inner();
        parts.into_iter().map(|(_, part)| String::from_utf8(part).unwrap()).collect()
    }

    #[test]
    fn it_reads_like_the_terminal() {
        for is_coloured in [false, true] {
            let spoken = screen(is_coloured, |terminal| speak(terminal).unwrap());
            let played = screen(is_coloured, |terminal| {
                let (result, transcript) = Recorder::of(terminal).record(speak);
                assert!(result.is_ok());
                transcript.play(terminal).unwrap();
            });
            assert_eq!(played, spoken);
            assert_eq!(played.contains('\x1b'), is_coloured);
        }
    }

    #[test]
    fn remarks_come_after_the_results_before_them() {
        let texts = recorded(|plain| plain, |terminal| speak(terminal).unwrap());
        let expected = ["note: first\n", "one, two\n", "error: after two\n  and this\n", "three\n"];
        assert_eq!(texts, expected);
    }
}
