//! Compares `nth`, `skip` and `step_by` of an iterator with its `next`.

use std::fmt::Debug;

/// Checks an iterator that ends after its first error. `nth`, `skip` and `step_by` must return the same items as
/// `next`, and find the same error. Returns whether there is an error.
#[expect(clippy::needless_pass_by_value, reason = "callers pass iterators by value")]
pub fn hides_nothing<T: Debug, E: Debug>(
    items: impl Iterator<Item = Result<T, E>> + Clone,
    place: &dyn Debug,
) -> bool {
    let shown = |item: &Option<Result<T, E>>| format!("{item:?}");
    let is_error = |item: &Option<Result<T, E>>| matches!(item, Some(Err(_)));
    let plain: Vec<_> = items.clone().map(Some).collect();
    let is_damaged = plain.last().is_some_and(is_error);
    let len = plain.len();
    for n in [0, 1, 2, len / 2, len.saturating_sub(1), len, len + 1, len + 7] {
        let nth = items.clone().nth(n);
        let expected = plain.get(n).or(plain.last().filter(|_| is_damaged));
        assert_eq!(shown(&nth), expected.map_or("None".to_owned(), shown), "{n} of {place:?}");
        let skipped = || items.clone().skip(n);
        let rest = plain.get(n..).unwrap_or_default().iter().filter(|item| !is_error(item));
        let found = skipped().map(Some).filter(|item| !is_error(item));
        assert!(found.map(|item| shown(&item)).eq(rest.map(shown)), "{n} of {place:?}");
        assert_eq!(skipped().any(|item| item.is_err()), is_damaged, "{n} of {place:?}");
        assert_eq!(
            skipped().collect::<Result<Vec<_>, _>>().is_err(),
            is_damaged,
            "{n} of {place:?}"
        );
        assert_eq!(
            skipped().fold(false, |any, item| any | item.is_err()),
            is_damaged,
            "{n} of {place:?}"
        );
        let steps = items.clone().step_by(n + 1);
        let rest = plain.iter().step_by(n + 1).filter(|item| !is_error(item));
        let found = steps.clone().map(Some).filter(|item| !is_error(item));
        assert!(found.map(|item| shown(&item)).eq(rest.map(shown)), "by {n} of {place:?}");
        assert_eq!(steps.clone().any(|item| item.is_err()), is_damaged, "by {n} of {place:?}");
        // After an error, the iterator returns the error at most once more, and then ends. This holds for all methods.
        assert!(steps.take(plain.len() + 9).count() <= plain.len() + 2, "by {n} of {place:?}");
        let mut ended = items.clone();
        let errors = (0..plain.len() + 9).filter(|_| matches!(ended.nth(n), Some(Err(_)))).count();
        assert!(errors <= 2 && ended.next().is_none(), "{n} of {place:?}");
    }
    is_damaged
}
