#!/usr/bin/env bash
# Times the engine on two values of Godot 3, and variant-owned on the same ones.
#   benches/peers/engine.sh [PROGRAM]   the engine, godot3-server if not said
set -euo pipefail
cd "$(dirname "$0")/../.."
engine=${1:-godot3-server}
type "$engine" >/dev/null || { echo "$engine is not installed" >&2; exit 1; }

# The engine writes settings to the home directory.
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT

theirs() { # FILE
    HOME=$home XDG_DATA_HOME=$home XDG_CONFIG_HOME=$home XDG_CACHE_HOME=$home VARIANT_FILE=$PWD/$1 \
        timeout 60 "$engine" --path "$home" -s "$PWD/benches/peers/engine.gd" 2>&1
}

ours() { # FILE
    cargo run --release -q -p variant-bench --example round_trip -- "$1" godot3 4
}

for file in corpus/godot3/saves/replay_200.bin corpus/godot3/saves/rpg_save.bin; do
    own=$(ours "$file")
    { echo "$own"; theirs "$file"; } | awk -v file="${file#corpus/}" '
        NF == 3 && $3 == "ms" { own[$1] = $2 }
        NF == 2 && ($1 == "decode" || $1 == "encode") {
            printf "%s: %s: theirs %.6f ms, ours %.6f ms, ratio %.1f\n", file, $1, $2, own[$1], $2 / own[$1]
            found++
        }
        END { if (found < 2) { print file ": the engine printed no times"; exit 1 } }'
done
