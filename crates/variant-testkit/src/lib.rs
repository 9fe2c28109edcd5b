//! Corpus, builders and oracles.
pub mod var2str;
