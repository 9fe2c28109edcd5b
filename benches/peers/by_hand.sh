#!/usr/bin/env bash
# Compares the times of the library, called from Go and Java, with the times of decoders that are written by hand in Go
# and Java (`by_hand`). Both read the same packet and the same save, and return the same value.
#   benches/peers/by_hand.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
crates/variant-c/install "$work/prefix"
export PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig LD_LIBRARY_PATH=$work/prefix/lib
inputs=("$PWD/corpus/godot4/saves/rpc.variant" "$PWD/corpus/godot4/saves/save_10k.variant")
sample=$PWD/crates/variant-c/samples/java
peers=$PWD/benches/peers/by_hand

(cd "$peers/go" && GOFLAGS=-mod=mod go build -o "$work/by-hand" .)
"$work/by-hand" "${inputs[@]}"

java_home=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
read -ra flags <<<"$(pkg-config --cflags --libs variant)"
gcc -O2 -shared -fPIC -I"$java_home/include" -I"$java_home/include/linux" "$sample/shim.c" "${flags[@]}" \
    -o "$work/libvariantjni.so"
javac -encoding UTF-8 -d "$work/classes" "$sample/Variant.java" "$peers"/java/*.java
java -Djava.library.path="$work" -cp "$work/classes" ByHand "${inputs[@]}"
