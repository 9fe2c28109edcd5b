#!/usr/bin/env bash
# Runs the same game in the example `multiplayer_server` and in an engine, one after the other on the same machine and
# with the same clients, and counts calls and answers per second.
#   benches/multiplayer.sh [CLIENTS [SECONDS [IN_FLIGHT [ROUNDS]]]]
# VARIANT_GODOT4 names a program. `PROGRAM SCRIPT.gd ARGUMENTS` must run the script in Godot 4. Servers and clients use
# the loopback interface.
set -euo pipefail
cd "$(dirname "$0")/.."
clients=${1:-500} seconds=${2:-5} in_flight=${3:-4} rounds=${4:-3}
: "${VARIANT_GODOT4:?a program that runs scripts in Godot 4}"
# Each connection has a socket at each end.
ulimit -n 4096

cargo build --release -q -p variant-multiplayer --features websocket,enet --example multiplayer_server --example multiplayer_load
programs=target/release/examples
work=$(mktemp -d)
cp crates/variant-testkit/engine/godot4/{multiplayer,arena}.gd crates/variant-multiplayer/examples/client/{world,player}.gd "$work"
server=
trap 'test -z "$server" || kill -- "-$server" 2>/dev/null || true; rm -rf "$work"' EXIT
set -m

load() { # SERVER TRANSPORT PORT
    printf '%-6s ' "$1"
    "$programs/multiplayer_load" "$2" "127.0.0.1:$3" "$clients" "$seconds" "$in_flight"
}
stop() { kill -- "-$server"; wait "$server" 2>/dev/null || true; server=; }

port=$((20000 + RANDOM % 10000))
for transport in websocket enet; do
    for _ in $(seq "$rounds"); do
        port=$((port + 1))
        "$programs/multiplayer_server" "127.0.0.1:$port" 1000000 > "$work/log" 2>&1 &
        server=$!
        sleep 1
        load ours "$transport" "$port"
        stop
        port=$((port + 1))
        rm -f "$work/ready"
        "$VARIANT_GODOT4" "$work/multiplayer.gd" --role=server "--transport=$transport" "--port=$port" "--folder=$work" --leave=100000 > "$work/log" 2>&1 &
        server=$!
        for _ in $(seq 100); do test -f "$work/ready" && break; sleep 0.1; done
        load engine "$transport" "$port"
        stop
    done
done
