//! The ticks of a service.

use std::future::pending;
use std::time::{Duration, Instant};

use super::{Input, Service};

/// The minimum time until the next tick, if a service requests a time in the past.
const LEAST: Duration = Duration::from_millis(1);

/// Sends a tick to a service if one is due.
pub(crate) fn tick<S: Service>(service: &mut S, now: Instant) {
    if service.wake_at().is_some_and(|at| at <= now) {
        service.handle(Input::Tick, now);
    }
}

/// The time of the next tick, later than now.
pub(crate) fn wake_at<S: Service>(service: &S, now: Instant) -> Option<Instant> {
    let soon = now.checked_add(LEAST)?;
    service.wake_at().map(|at| at.max(soon))
}

/// Waits until `at`, or forever if `None`.
pub(crate) async fn sleep_until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at.into()).await,
        None => pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::Output;

    /// A service that wants a tick at a time, and stores the times of its ticks.
    struct Alarm(Option<Instant>, Vec<Instant>);

    impl Service for Alarm {
        type Event = ();

        fn handle(&mut self, input: Input<'_>, now: Instant) {
            assert!(matches!(input, Input::Tick));
            self.1.push(now);
        }

        fn output(&mut self) -> Option<Output> {
            None
        }

        fn wake_at(&self) -> Option<Instant> {
            self.0
        }
    }

    #[test]
    fn a_tick_comes_when_it_is_due() {
        let (now, short) = (Instant::now(), Duration::from_nanos(1));
        for (at, ticks) in
            [(None, 0), (now.checked_sub(short), 1), (Some(now), 1), (now.checked_add(short), 0)]
        {
            let mut service = Alarm(at, Vec::new());
            tick(&mut service, now);
            assert_eq!(service.1, vec![now; ticks], "{at:?}");
        }
    }

    /// A service whose time is always in the past would keep a core busy.
    #[test]
    fn ticks_have_a_least_distance() {
        let now = Instant::now();
        let after = |time| now.checked_add(time);
        assert_eq!(wake_at(&Alarm(None, Vec::new()), now), None);
        for (at, expected) in [
            (now.checked_sub(LEAST), after(LEAST)),
            (Some(now), after(LEAST)),
            (after(LEAST), after(LEAST)),
            (after(LEAST * 2), after(LEAST * 2)),
        ] {
            assert_eq!(wake_at(&Alarm(at, Vec::new()), now), expected);
        }
    }
}
