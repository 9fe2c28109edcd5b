//! [`Every`]: reports all deviations. [`Canonical`] stops at the first.

use super::{Canonical, Open};
use crate::contents::Contents;
use crate::error::{Error, Result};
use crate::options::Mode;
use crate::scan::{Item, Sink};

/// Runs each check of [`Canonical`] separately, so that one failure does not hide others.
pub(crate) struct Every<'a, F> {
    checks: Canonical<'a>,
    found: F,
}

impl<'a, F: FnMut(Error)> Every<'a, F> {
    pub(crate) fn new(bytes: &'a [u8], mode: Mode, found: F) -> Self {
        Self { checks: Canonical::new(bytes, mode), found }
    }

    pub(crate) fn tell(&mut self, checked: Result<()>) {
        if let Err(error) = checked {
            (self.found)(error);
        }
    }

    fn any(&mut self, item: &Item<'a>) {
        let checked = [
            self.checks.header(item),
            self.checks.name(item),
            self.checks.declared(item),
            self.checks.key(item),
        ];
        for checked in checked {
            self.tell(checked);
        }
    }
}

impl<'a, F: FnMut(Error)> Sink<'a> for Every<'a, F> {
    fn leaf(&mut self, item: &Item<'a>) -> Result<()> {
        self.any(item);
        let checked = self.checks.payload(item);
        self.tell(checked);
        Ok(())
    }

    fn enter(&mut self, item: &Item<'a>) -> Result<()> {
        self.any(item);
        let open = self.checks.head(item).unwrap_or_else(|error| {
            (self.found)(error);
            self.checks.untyped(item)
        });
        self.checks.open(open);
        Ok(())
    }

    fn exit(&mut self, end: usize) -> Result<()> {
        let checked = self.checks.exit(end);
        self.tell(checked);
        Ok(())
    }
}

impl Canonical<'_> {
    /// A container of which only the kind is known.
    fn untyped(&self, item: &Item<'_>) -> Open {
        let form = match item.header.kind {
            crate::Kind::Dictionary => Contents::Pairs,
            crate::Kind::Object => Contents::Properties,
            _ => Contents::Elements,
        };
        Open { form, first_key: crate::bytes::count(self.keys.len()), ..Open::default() }
    }
}
