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
