
/// The switches of mutants.
#[doc(hidden)]
#[allow(warnings, clippy::all)]
pub mod mutant_switch {
    extern crate std;

    use std::io::Write as _;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

    /// The mutant that is on, or one of the states.
    static ON: AtomicU32 = AtomicU32::new(UNREAD);
    const UNREAD: u32 = u32::MAX;
    const REACHING: u32 = u32::MAX - 1;
    const NONE: u32 = u32::MAX - 2;
    static REACHED: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];

    /// Whether a mutant is on. In constants, none is.
    #[inline]
    pub const fn is_on(id: u32) -> bool {
        core::intrinsics::const_eval_select((id,), never, at_run_time)
    }

    const fn never(_: u32) -> bool {
        false
    }

    #[inline]
    fn at_run_time(id: u32) -> bool {
        let on = ON.load(Relaxed);
        if on < NONE { on == id } else { on != NONE && rare(id) }
    }

    #[cold]
    fn rare(id: u32) -> bool {
        if ON.load(Relaxed) == UNREAD {
            let wanted = std::env::var("VARIANT_MUTANT").unwrap_or_default();
            let on = if wanted == "reach" { REACHING } else { wanted.parse().unwrap_or(NONE) };
            ON.store(on, Relaxed);
            return at_run_time(id);
        }
        if let Some(reached) = REACHED.get(id as usize)
            && !reached.swap(true, Relaxed)
            && let Ok(path) = std::env::var("VARIANT_MUTANTS_REACHED")
            && let Ok(mut file) = std::fs::OpenOptions::new().create(true).append(true).open(path)
        {
            let _ = file.write_all(std::format!("{id}\n").as_bytes());
        }
        false
    }
}
