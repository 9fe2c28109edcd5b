//! [`Transcript`]: recorded output, to be replayed in order.

use std::cell::RefCell;
use std::io::{self, Write};

use crate::terminal::Terminal;

/// Recorded output of both streams, in order.
#[derive(Debug, Default)]
pub(crate) struct Transcript {
    parts: RefCell<Vec<(Stream, Vec<u8>)>>,
}

/// One of the two streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stream {
    Out,
    Err,
}

/// Records output with the colours of a terminal, on any thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recorder {
    is_out_terminal: bool,
    is_out_coloured: bool,
    is_err_coloured: bool,
}

impl Recorder {
    pub(crate) const fn of(terminal: &Terminal<'_>) -> Self {
        let Terminal { is_out_terminal, is_out_coloured, is_err_coloured, .. } = *terminal;
        Self { is_out_terminal, is_out_coloured, is_err_coloured }
    }

    /// Calls `work` and records its output.
    pub(crate) fn record<R>(self, work: impl FnOnce(&mut Terminal<'_>) -> R) -> (R, Transcript) {
        let transcript = Transcript::default();
        let result = work(&mut Terminal {
            out: &mut Pen { transcript: &transcript, stream: Stream::Out },
            err: &mut Pen { transcript: &transcript, stream: Stream::Err },
            progress: None,
            is_out_terminal: self.is_out_terminal,
            is_out_coloured: self.is_out_coloured,
            is_err_coloured: self.is_err_coloured,
        });
        (result, transcript)
    }
}

impl Transcript {
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

/// Records one of the two streams.
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
        terminal.error("behind two")?;
        writeln!(terminal.err, "  and this")?;
        writeln!(terminal.out, "three")
    }

    /// Both streams of a terminal in one, as on a screen.
    fn screen(is_coloured: bool, work: impl FnOnce(&mut Terminal<'_>)) -> String {
        let recorder = Recorder {
            is_out_terminal: false,
            is_out_coloured: is_coloured,
            is_err_coloured: is_coloured,
        };
        let parts = recorder.record(work).1.parts.into_inner();
        parts.iter().map(|(_, part)| str::from_utf8(part).unwrap()).collect()
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
        let (_, transcript) =
            Recorder { is_out_terminal: false, is_out_coloured: false, is_err_coloured: false }
                .record(speak);
        let parts = transcript.parts.into_inner();
        let texts: Vec<_> = parts.iter().map(|(_, part)| str::from_utf8(part).unwrap()).collect();
        let expected =
            ["note: first\n", "one, two\n", "error: behind two\n  and this\n", "three\n"];
        assert_eq!(texts, expected);
    }
}
