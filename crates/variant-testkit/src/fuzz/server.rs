//! Fuzz target `server`.

use crate::simulation::Script;

/// The maximum size of a script: some 200 steps.
const LONGEST: usize = 1_024;

/// Simulates a server and its clients on a bad network. All checks of the model must pass.
pub fn check_server(data: &[u8]) {
    Script::of_bytes(data.get(..LONGEST).unwrap_or(data)).run();
}

/// Scripts of campaigns.
pub(super) fn scripts() -> Vec<Vec<u8>> {
    (1..=200).map(|seed| Script::of_seed(seed, 100).to_bytes()).collect()
}
