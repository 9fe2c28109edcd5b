#!/bin/bash -eu
# Builds every target with its seeds and its dictionary into $OUT, as OSS-Fuzz and ClusterFuzzLite require.
# Both set SRC, OUT, WORK, SANITIZER and FUZZING_ENGINE. Their images have a nightly compiler and cargo-fuzz.

test "$FUZZING_ENGINE" = libfuzzer || { echo "no targets for the engine $FUZZING_ENGINE"; exit 1; }
case "$SANITIZER" in
  address) sanitizer=address ;;
  # The cargo wrapper of the image adds the coverage flags.
  coverage) sanitizer=none ;;
  *) echo "no targets for the sanitizer $SANITIZER"; exit 1 ;;
esac

cd "$SRC/variant-view"
targets=$(cargo fuzz list)
# Debug assertions detect overflows. By default the scan is compiled as in released builds. With FLAVOUR=plain, the scan
# is compiled once for all kinds and dialects, as in builds without optimisation.
case "${FLAVOUR:=released}" in
  released) export RUSTFLAGS="${RUSTFLAGS-} --cfg variant_released" ;;
  plain) ;;
  *) echo "no flavour $FLAVOUR"; exit 1 ;;
esac
# More codegen units make the build faster on several cores, but the built targets slower.
case "${PROFILE:=release}" in
  release) profile=(--release --debug-assertions) ;;
  debug) profile=(--dev) ;;
  *) echo "no profile $PROFILE"; exit 1 ;;
esac
cargo fuzz build "${profile[@]}" --sanitizer "$sanitizer" --codegen-units "${CODEGEN_UNITS:-1}"
built=fuzz/target/$(rustc -vV | sed -n 's/^host: //p')/$PROFILE

# Seeds are made without the fuzzer's flags, in a separate folder. SEEDS names the folder of existing seeds.
seeds=${SEEDS:-$WORK/seeds}
test -d "$seeds" ||
  env -u RUSTFLAGS cargo run --release --package variant-testkit --no-default-features --features fuzz --bin fuzz-seeds --target-dir "$WORK/seeds-target" -- "$seeds"

for target in $targets; do
  cp "$built/$target" "$OUT/"
  cp fuzz/variant.dict "$OUT/$target.dict"
  rm -f "$OUT/${target}_seed_corpus.zip"
  (cd "$seeds/$target" && zip -q -r "$OUT/${target}_seed_corpus.zip" .)
done
