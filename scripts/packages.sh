# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# Which Debian packages each purpose needs, and a function that installs what is missing.
# Sourced by examples/quickstart, tests/run and bench/compare/peers.

# to build the library, the plugin and the tools, and to run them on Mesa's software renderer
# (libegl1 needs a vendor library, which nothing depends on when recommends are off)
packages_build="build-essential meson ninja-build pkgconf
  libglib2.0-dev libgstreamer1.0-dev libgstreamer-plugins-base1.0-dev
  libegl-dev libgles-dev libgbm-dev libegl-mesa0 libgl1-mesa-dri glslang-tools"

# for what the build makes only where they are there: the GIR and typelib, glesoverlay, large buffers
# from Vulkan, frames in CUDAMemory, gst-gles-bench-1.0 with VQSort, gst-gles-report-1.0
# and loudness in it, tags of glesjson, GstAnalyticsODMtd (from GStreamer 1.24 on), MQTT in glespublish, gst-gles-watch-1.0 and what it
# tells the service manager
packages_build_optional="gobject-introspection libgirepository1.0-dev
  gir1.2-gst-plugins-base-1.0 libcairo2-dev libvulkan-dev libvulkan1 libffmpeg-nvenc-dev libhwy-dev
  libjson-glib-dev libgstreamer-plugins-bad1.0-dev libmosquitto-dev libsoup-3.0-dev libsystemd-dev
  zlib1g-dev libebur128-dev"

# to decode and show video, and the photograph that the quickstart pans over
packages_quickstart="gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good
  gstreamer1.0-libav libcairo2-dev libjson-glib-dev zlib1g-dev fonts-dejavu-core lomiri-wallpapers-20.04"

# to check results with independent programs
packages_tests="libjson-glib-dev python3 python3-jsonschema python3-numpy
  python3-gi python3-gst-1.0 python3-cairo python3-gi-cairo gstreamer1.0-plugins-bad gstreamer1.0-gl ffmpeg
  mesa-vulkan-drivers mosquitto mosquitto-clients openssl xz-utils gir1.2-gst-rtsp-server-1.0"

# tests that skip without them: the formatting rules are those of version 14, which Debian 13 lacks; the
# browser looks at the page of gst-gles-report-1.0. The notebook's test skips too: what it needs takes minutes to
# install (jupyter-nbconvert python3-ipykernel python3-matplotlib); so do comparisons with OpenCV (python3-opencv), and
# archives on a cluster, which bring daemons (slurm-wlm munge), and checks of its manifests (python3-kubernetes)
packages_tests_optional="clang-format-14 chromium valgrind gi-docgen"

# for .ci/run, which makes a Debian 13, and the runtime of its sanitizers for tests/run --fuzz
packages_ci="clang libclang-rt-dev debootstrap"

# the peers of the benchmark
packages_bench="ffmpeg gstreamer1.0-plugins-bad python3-numpy python3-opencv"

packages_missing ()
{
  local package
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      printf '%s ' "$package"
  done
}

packages_apt_install ()
{
  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "Installing needs root or sudo. Run this as root: apt-get install $*" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -qq -y --no-install-recommends "$@" </dev/null
}

packages_apt_update ()
{
  local as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update -qq </dev/null
}

# packages_ensure PACKAGE...: installs those that are missing, asking nothing; with none missing it
# neither needs a network nor takes time
packages_ensure ()
{
  local missing
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "This is not a Debian system: assuming that the following are there: $*" >&2
    return 0
  fi
  missing=$(packages_missing "$@")
  [ -n "$missing" ] || return 0
  echo "Installing Debian packages: $missing" >&2
  # shellcheck disable=SC2086
  if ! { packages_apt_update && packages_apt_install $missing; } >&2; then
    echo "Installing failed. Needed: $missing" >&2
    return 1
  fi
}

# packages_wish PACKAGE...: installs those that are missing and that this system's apt knows
packages_wish ()
{
  local package wanted=
  command -v apt-cache >/dev/null || return 0
  for package in $(packages_missing "$@"); do
    [ -z "$(apt-cache show --no-all-versions "$package" 2>/dev/null)" ] || wanted+=" $package"
  done
  [ -n "$wanted" ] || return 0
  echo "Installing Debian packages:$wanted" >&2
  # shellcheck disable=SC2086
  packages_apt_install $wanted >&2 || echo "Continuing without$wanted" >&2
}
