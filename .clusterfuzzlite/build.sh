#!/bin/bash -eu
# The same as for OSS-Fuzz.
exec "$SRC/variant-view/fuzz/oss-fuzz/build.sh"
