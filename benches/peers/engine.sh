#!/usr/bin/env bash
# Times the engine and this library on the same two values.
#   benches/peers/engine.sh [PROGRAM]        Godot 3, godot3-server by default
#   benches/peers/engine.sh PROGRAM godot4   `PROGRAM SCRIPT.gd FILE` must run the script in Godot 4
set -euo pipefail
cd "$(dirname "$0")/../.."
engine=${1:-godot3-server}
dialect=${2:-godot3}
type "$engine" >/dev/null || { echo "$engine is not installed" >&2; exit 1; }

# Godot 3 writes settings to the home directory.
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT

case $dialect in
    godot3) files="corpus/godot3/saves/replay_200.bin corpus/godot3/saves/rpg_save.bin" from=4 ;;
    godot4) files="corpus/godot4/saves/rpc.variant corpus/godot4/saves/save_10k.variant" from=0 ;;
    *) echo "no such engine: $dialect" >&2; exit 1 ;;
esac

theirs() { # FILE
    if [ "$dialect" = godot4 ]; then
        timeout 60 "$engine" "$PWD/benches/peers/engine4.gd" "$PWD/$1" 2>&1
    else
        HOME=$home XDG_DATA_HOME=$home XDG_CONFIG_HOME=$home XDG_CACHE_HOME=$home VARIANT_FILE=$PWD/$1 \
            timeout 60 "$engine" --path "$home" -s "$PWD/benches/peers/engine.gd" 2>&1
    fi
}

ours() { # FILE
    cargo run --release -q --manifest-path benches/Cargo.toml --example round_trip -- "$1" "$dialect" "$from"
}

for file in $files; do
    own=$(ours "$file")
    { echo "$own"; theirs "$file"; } | awk -v file="${file#corpus/}" '
        NF == 3 && $3 == "ms" { own[$1] = $2 }
        NF == 2 && ($1 == "decode" || $1 == "encode") {
            printf "%s: %s: theirs %.6f ms, ours %.6f ms, ratio %.1f\n", file, $1, $2, own[$1], $2 / own[$1]
            found++
        }
        NF == 2 && $1 == "decode" {
            printf "%s: decode beside validation: ours %.6f ms, ratio %.1f\n", file, own["validate"], $2 / own["validate"]
        }
        END { if (found < 2) { print file ": the engine printed no times"; exit 1 } }'
done
