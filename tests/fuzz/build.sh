#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Builds the fuzz targets as OSS-Fuzz wants them: with its CC, CXX, CFLAGS, CXXFLAGS and
# LIB_FUZZING_ENGINE, into the folder OUT, each with a corpus and the libraries that it needs.
set -euo pipefail

: "${OUT:?where the targets go}"
: "${LIB_FUZZING_ENGINE:=-fsanitize=fuzzer}"
source=$(dirname "$(readlink -f "$0")")/../..
work=${WORK:-$(mktemp -d)}
mkdir -p "$OUT/lib"
OUT=$(readlink -f "$OUT")

export CC=${CC:-clang} CXX=${CXX:-clang++}
export CFLAGS=${CFLAGS:--O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined,fuzzer-no-link}
export CXXFLAGS=${CXXFLAGS:-$CFLAGS}
export LDFLAGS="${LDFLAGS:-$CFLAGS} -Wl,-rpath,\$ORIGIN/lib"
# OSS-Fuzz builds in a new folder for each sanitizer; tests/run builds in the same one again
[ -e "$work/build/meson-private/coredata.dat" ] ||
  meson setup "$work/build" "$source" -Dbuildtype=plain -Db_lundef=false -Dtests=enabled \
    -Dexamples=disabled -Dintrospection=disabled -Dshader-check=disabled -Dvqsort=disabled \
    "-Dfuzz-engine=$LIB_FUZZING_ENGINE"

for target in expressions frames json lines masks properties serial splats topics watch; do
  ninja -C "$work/build" "tests/fuzz/fuzz-$target"
  cp "$work/build/tests/fuzz/fuzz-$target" "$OUT/"
  rm -rf "$work/corpus/$target"
  python3 "$source/tests/fuzz/corpus.py" "$target" "$work/corpus/$target"
  python3 -m zipfile -c "$OUT/fuzz-${target}_seed_corpus.zip" "$work/corpus/$target"/*
  # runners have no more than libc
  for library in $(ldd "$OUT/fuzz-$target" | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p'); do
    case $library in
      */libc.so* | */libm.so* | */libdl.so* | */libpthread.so* | */librt.so* | */ld-linux*) ;;
      "$OUT"/*) ;; # copied for an earlier target, and found there
      *) cp -L "$library" "$OUT/lib/" ;;
    esac
  done
done
