//! [`Limits`]: what a peer may cost.

/// Bounds on what the other side may send. The memory of a session is at most `message` and the bytes of one call of
/// `handle`.
///
/// ```
/// use variant_debugger::Limits;
///
/// let limits = Limits::GAME.message(1 << 20).depth(64);
/// assert_eq!(limits.frame, Limits::GAME.frame); // others stay
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The longest frame in bytes, without its length word. A longer one ends the session.
    pub frame: u32,
    /// The longest message in bytes, with the length words of its frames. A longer one ends the session.
    pub message: u32,
    /// The greatest number of frames of one message. A larger number ends the session.
    pub frames: u32,
    /// The greatest depth of a value.
    pub depth: u32,
    /// The greatest number of values in a frame. Elements of packed arrays do not count.
    pub values: u64,
    /// Messages a second. Bursts may be twice that. The excess is dropped and counted; the state of the session follows
    /// dropped messages too.
    pub messages: u32,
    /// The number of stopped threads that a session keeps. Later ones are reported and not kept.
    pub threads: u16,
}

impl Limits {
    /// For a debugger, whose game may be hostile.
    ///
    /// * `frame` 8 MiB: the longest that an engine sends;
    /// * `message` 64 MiB: eight frames of that length;
    /// * `frames` 1,048,576: a scene tree of 262,144 nodes in Godot 3;
    /// * `depth` 1,024: the engines';
    /// * `values` 1,048,576: a frame of 8 MiB in which the average value has 8 bytes;
    /// * `messages` 131,072: the queue of Godot 4 has 2,048 messages a frame, 60 frames a second;
    /// * `threads` 64.
    pub const GAME: Self = Self {
        frame: 8 << 20,
        message: 64 << 20,
        frames: 1 << 20,
        depth: 1_024,
        values: 1 << 20,
        messages: 131_072,
        threads: 64,
    };

    /// For a game, whose debugger may be hostile. A game needs far less: commands are short.
    ///
    /// * `frame` 8 MiB and 4 bytes: the engines' of Godot 4; games of the other engines take 65,531 bytes;
    /// * `depth` 128, `values` 1,000,000: those of a server;
    /// * `messages` 10,000.
    pub const DEBUGGER: Self = Self {
        frame: (8 << 20) + 4,
        message: (8 << 20) + 8,
        frames: 1,
        depth: 128,
        values: 1_000_000,
        messages: 10_000,
        threads: 64,
    };

    /// Returns the limits with this `frame`.
    #[must_use]
    pub const fn frame(mut self, frame: u32) -> Self {
        self.frame = frame;
        self
    }

    /// Returns the limits with this `message`.
    #[must_use]
    pub const fn message(mut self, message: u32) -> Self {
        self.message = message;
        self
    }

    /// Returns the limits with this `frames`.
    #[must_use]
    pub const fn frames(mut self, frames: u32) -> Self {
        self.frames = frames;
        self
    }

    /// Returns the limits with this `depth`.
    #[must_use]
    pub const fn depth(mut self, depth: u32) -> Self {
        self.depth = depth;
        self
    }

    /// Returns the limits with this `values`.
    #[must_use]
    pub const fn values(mut self, values: u64) -> Self {
        self.values = values;
        self
    }

    /// Returns the limits with this `messages`.
    #[must_use]
    pub const fn messages(mut self, messages: u32) -> Self {
        self.messages = messages;
        self
    }
}
