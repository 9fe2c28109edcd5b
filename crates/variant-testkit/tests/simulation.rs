//! Simulations of a server and its clients. `simulate` runs more simulations.

use variant_testkit::simulation::Script;

#[test]
fn servers_and_clients_agree() {
    for seed in 1..=50 {
        if let Err(failure) = Script::of_seed(seed, 200).check() {
            panic!("seed {seed}: {failure:?}");
        }
    }
}

/// Fuzz targets and campaigns have the same form of a script.
#[test]
fn scripts_are_bytes() {
    let script = Script::of_seed(7, 20);
    assert_eq!(script.len(), 20);
    assert!(Script::of_bytes(&script.to_bytes()) == script);
    assert!(Script::of_bytes(&[]).is_empty());
}
