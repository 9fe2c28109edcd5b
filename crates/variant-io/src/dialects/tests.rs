use variant_view::Page;

use super::*;

const INT: [u8; 8] = [2, 0, 0, 0, 7, 0, 0, 0];
const NIL: [u8; 4] = [0; 4];
/// `{7: null}` as Godot 4 writes it.
const DICTIONARY: [u8; 20] = [27, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];
const BROKEN: [u8; 4] = [0xff; 4];

fn dialects(values: &[&[u8]]) -> Dialects {
    Dialects::new(values.iter().copied())
}

/// The best dialect, if it reads all values and no other dialect reads different values.
fn alone(all: &Dialects) -> Option<Dialect> {
    let best = all.best().filter(|best| best.is_complete())?;
    all.rivals(best).next().is_none().then_some(best.dialect())
}

#[test]
fn one_telling_value_decides() {
    let all = dialects(&[&INT, &NIL, &INT, &DICTIONARY, &NIL, &INT]);
    assert_eq!(alone(&all), Some(Dialect::Godot4));
    assert_eq!(all.alike(all.best().unwrap()).count(), 0);
    assert!(all.is_all_read);
    assert_eq!(all.get(Dialect::Godot3).map(Fit::candidate_index), Some(3));
}

#[test]
fn damaged_values_do_not_count() {
    let all = dialects(&[&BROKEN, &DICTIONARY]);
    assert_eq!(alone(&all), Some(Dialect::Godot4));
    assert_eq!(all.values(), 1);
    assert!(!all.is_all_read);
}

#[test]
fn a_page_may_read_what_no_engine_reads() {
    // {}, which engines also read, and {"a": 7} as in the documentation of Godot 3.0.
    let key = [18, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, b'a', 0, 0, 0];
    let wide = [&key[..], &[2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]].concat();
    for values in [&[&wide[..]][..], &[&[18, 0, 0, 0, 0, 0, 0, 0], &wide]] {
        let all = dialects(values);
        let page = Page::Godot30.dialect();
        assert_eq!(alone(&all), Some(page));
        assert_eq!(all.get(page).map(Fit::is_complete), Some(true));
        assert!(all.is_all_read);
    }
    // Documented dialects are not tried if an engine fits.
    assert!(dialects(&[&DICTIONARY]).iter().all(|fit| fit.dialect().page().is_none()));
}

#[test]
fn nothing_decides_nothing() {
    assert!(dialects(&[]).best().is_none());
    let broken = dialects(&[&BROKEN]);
    assert_eq!(alone(&broken), None);
    assert_eq!(broken.values(), 1);
}

#[test]
fn damage_does_not_hide_the_dialect() {
    let pairs = DICTIONARY[8..].repeat(20);
    let cut = [&[27, 0, 0, 0, 99, 99, 0, 0][..], &pairs].concat();
    let all = dialects(&[&cut]);
    assert_eq!(alone(&all), None);
    assert_eq!(all.likely().map(Fit::dialect), Some(Dialect::Godot4));
    assert!(dialects(&[&cut[..40]]).likely().is_none());
    assert!(dialects(&[&DICTIONARY]).likely().is_none());
}

#[test]
fn who_reads_furthest_comes_first() {
    // {7: null, 7: null, cut
    let cut = [&[27, 0, 0, 0, 3, 0, 0, 0][..], &DICTIONARY[8..], &DICTIONARY[8..]].concat();
    let all = dialects(&[&cut]);
    assert_eq!(all.best().map(Fit::dialect), Some(Dialect::Godot4));
    assert_eq!(all.best().map(Fit::bytes_read), Some(32));
    assert_eq!(alone(&all), None);
}
