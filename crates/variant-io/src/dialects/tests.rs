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

/// A container that claims 25,443 entries, and has pairs of an int and a null. Id 28 is an array of Godot 4, and id 18
/// is a dictionary of Godot 3. Other engines read little of them.
fn cut(id: u8, count: usize) -> Vec<u8> {
    [&[id, 0, 0, 0, 99, 99, 0, 0][..], &DICTIONARY[8..].repeat(count)].concat()
}

/// Damaged values, of which different dialects read much, and one that none reads.
#[test]
fn a_damaged_dialect_is_likely_if_it_is_far_ahead() {
    let (mut likely, mut unlikely) = ([0; 2], 0);
    let counts = (0..40).flat_map(|mine| (0..40).map(move |others| (mine, others)));
    for (mine, others) in counts.chain((0..40).map(|count| (40, count))) {
        let unread = if mine == 40 { 10_000 } else { 4 };
        let (mine, others, unread) = (cut(28, mine), cut(18, others), vec![0xff; unread]);
        let all = dialects(&[&mine, &others, &unread]);
        let best = all.best().unwrap();
        let (read, sum) = (best.bytes_read(), mine.len() + others.len() + unread.len());
        let is_alike = |fit: &Fit| all.alike(best).any(|other| other.dialect() == fit.dialect());
        let most = all.iter().skip(1).filter(|fit| !is_alike(fit)).map(Fit::bytes_read).max();
        let most = most.unwrap();
        let has_three_times_as_much = read >= 3 * most;
        let leaves_a_third = 3 * (sum - read) <= sum - most;
        let is_likely = read >= 64 && (has_three_times_as_much || leaves_a_third);
        assert_eq!(all.likely().map(Fit::dialect), is_likely.then_some(best.dialect()));
        likely[0] += usize::from(is_likely && !leaves_a_third);
        likely[1] += usize::from(is_likely && !has_three_times_as_much);
        unlikely += usize::from(!is_likely && read >= 64);
    }
    assert!(likely[0] > 0 && likely[1] > 0 && unlikely > 0, "{likely:?} {unlikely}");
}

/// The share of the sampled bytes that a dialect reads.
#[test]
fn the_share_is_of_the_bytes_of_all_values() {
    let all = dialects(&[&cut(28, 4), &BROKEN]);
    let best = all.best().unwrap();
    assert_eq!((best.dialect(), best.bytes_read()), (Dialect::Godot4, 56));
    assert_eq!(all.share(best), 93);
    let none = dialects(&[&BROKEN]);
    assert_eq!(none.share(none.best().unwrap()), 0);
    let whole = dialects(&[&DICTIONARY, &INT]);
    assert_eq!(whole.share(whole.best().unwrap()), 100);
    let empty = dialects(&[&[]]);
    assert_eq!(empty.share(empty.best().unwrap()), 0);
}

/// Longer values are stronger evidence.
#[test]
fn the_score_is_the_mean_by_length() {
    let score = |values: &[&[u8]]| dialects(values).best().unwrap().score();
    let vector = [&[9, 0, 0, 0][..], &[0; 12]].concat();
    let [one, other] = [score(&[&vector]), score(&[&DICTIONARY])];
    let mean = |a: u32, b: u32| (16 * a * one + 20 * b * other) / (16 * a + 20 * b);
    assert!(one < other);
    for (a, b) in [(1, 1), (3, 1), (1, 3)] {
        let values = [vec![&vector[..]; a], vec![&DICTIONARY; b]].concat();
        let [a, b] = [a, b].map(|count| u32::try_from(count).unwrap());
        assert_eq!(score(&values), mean(a, b), "{a} and {b}");
    }
    // If a value does not fit, the lowest score is that of the file.
    let all = dialects(&[&vector, &DICTIONARY]);
    assert_eq!(all.get(Dialect::Godot2).map(Fit::score), Some(0));
}

#[test]
fn a_fit_names_the_value_that_decides() {
    let of_godot3 = [&[18], &DICTIONARY[1..]].concat();
    let all = dialects(&[&DICTIONARY, &DICTIONARY, &of_godot3]);
    for (dialect, index) in [(Dialect::Godot4, 2), (Dialect::Godot3, 0)] {
        let fit = all.get(dialect).unwrap();
        assert_eq!(fit.candidate_index(), index, "{dialect}");
        assert!(!fit.is_complete() && fit.reasons().next().is_some());
    }
    let whole = dialects(&[&INT, &DICTIONARY]);
    let fit = whole.best().unwrap();
    assert_eq!((fit.candidate_index(), fit.values_read), (1, 3));
    assert_eq!(fit.outcome().map(|summary| summary.consumed), Ok(20));
}

/// Values beyond the first may be the rest of an older file.
#[test]
fn the_first_frame_may_be_of_another_engine() {
    // A Vector3 has the same id in several engines, but not in Godot 3.
    let vector = [&[9, 0, 0, 0][..], &[0; 12]].concat();
    let rivals = |first: &[u8], second: &[u8]| {
        let all = dialects(&[first, second]).with_rest(first);
        let best = *all.best().unwrap();
        let rivals: Vec<_> = all.rivals(&best).map(Fit::dialect).collect();
        rivals
    };
    assert!(rivals(&vector, &DICTIONARY).contains(&Dialect::Pandemonium5));
    // Every engine reads an int.
    assert!(!rivals(&INT, &DICTIONARY).contains(&Dialect::Pandemonium5));
    assert!(rivals(&DICTIONARY, &INT).is_empty());
}
