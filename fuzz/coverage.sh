#!/usr/bin/env bash
# Prints a table of the library files, with the lines of each file that the seeds and the kept inputs reach:
#   fuzz/coverage.sh [TARGET...]
set -euo pipefail
cd "$(dirname "$0")/.."
targets=${*:-$(cargo fuzz list)}

rustup component add llvm-tools --toolchain nightly
host=$(rustc -vV | sed -n 's/^host: //p')
tools=$(rustc +nightly --print target-libdir)/../bin
seeds=fuzz/target/seeds
cargo run -p variant-testkit --bin fuzz-seeds -- "$seeds" >&2

programs=() profiles=()
for target in $targets; do
  mkdir -p "fuzz/corpus/$target" "$seeds/$target"
  folder=fuzz
  test -e "fuzz/fuzz_targets/$target.rs" || folder=fuzz/outer
  RUSTFLAGS="--cfg variant_released" \
    cargo +nightly fuzz coverage --fuzz-dir "$folder" "$target" "fuzz/corpus/$target" "$seeds/$target" -- -timeout=60 >&2
  programs+=(-object "target/$host/coverage/$host/release/$target")
  profiles+=("fuzz/coverage/$target/coverage.profdata")
done
"$tools/llvm-profdata" merge -o fuzz/coverage/all.profdata "${profiles[@]}"
"$tools/llvm-cov" report "${programs[@]}" -instr-profile=fuzz/coverage/all.profdata \
  -ignore-filename-regex='/(registry|rustc|library|variant-testkit|fuzz_targets)/' -show-region-summary=false
