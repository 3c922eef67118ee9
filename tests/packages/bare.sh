# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# Bare systems of Debian with the source in /src, in which commands run. Sourced by the scripts of this folder, which
# need root. Their folders lie in build-packages/ (or BUILD_DIR); debootstrap's mirror is DEBIAN_MIRROR, if that is set.

# bare_begin ARGUMENT...: runs the script again in a namespace, so that what is mounted ends with it
bare_begin ()
{
  if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
    echo "$0: needs root and debootstrap (apt-get install debootstrap)" >&2
    exit 1
  fi
  [ -n "${PACKAGES_UNSHARED:-}" ] || PACKAGES_UNSHARED=1 exec unshare --mount "$PWD/tests/packages/$(basename "$0")" "$@"
  work=$(readlink -f "${BUILD_DIR:-build-packages}")
  mirror=${DEBIAN_MIRROR:-}
  mkdir -p "$work"
}

# bare_archive RELEASE: the archive of a bare system, unless it is there
bare_archive ()
{
  local release=$1 folder=$work/$1-archive archive=$work/$1.tar
  [ ! -e "$archive" ] || return 0
  rm -rf --one-file-system "$folder"
  mkdir -p "$folder"
  debootstrap --variant=minbase "$release" "$folder" ${mirror:+"$mirror"} >"$work/debootstrap.log" ||
    { tail -20 "$work/debootstrap.log"; return 1; }
  tar -C "$folder" --numeric-owner -cf "$archive.part" .
  mv "$archive.part" "$archive"
  rm -rf --one-file-system "$folder"
}

# bare_system RELEASE NAME: a bare system in $work/NAME
bare_system ()
{
  local release=$1 folder=$work/$2
  bare_archive "$release"
  rm -rf --one-file-system "$folder"
  mkdir -p "$folder"
  tar -C "$folder" -xf "$work/$release.tar"
  # The lines of the README ask nothing then, a mirror may be a snapshot of the past, services are not started, and
  # packages need not survive a loss of power.
  printf '%s "%s";\n' APT::Get::Assume-Yes true Acquire::Check-Valid-Until false >"$folder/etc/apt/apt.conf.d/90test"
  printf '#!/bin/sh\nexit 101\n' >"$folder/usr/sbin/policy-rc.d"
  chmod +x "$folder/usr/sbin/policy-rc.d"
  echo force-unsafe-io >"$folder/etc/dpkg/dpkg.cfg.d/90test"
  cp /etc/resolv.conf "$folder/etc/resolv.conf"
  mount -t proc proc "$folder/proc"
  mount --bind /dev "$folder/dev"
  mount --bind /dev/pts "$folder/dev/pts"
  mkdir -p "$folder/src"
  git ls-files -co --exclude-standard -z | tar --null -T - -c | tar --no-same-owner -x -C "$folder/src"
}

# bare_inside NAME COMMAND: runs it in the copy of the source
bare_inside ()
{
  chroot "$work/$1" env -i HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive GST_REGISTRY_FORK=no \
    DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-}" PATH=/usr/sbin:/usr/bin:/sbin:/bin bash -euc "cd /src; $2"
}

# bare_packages RELEASE NAME: builds the packages in that system, and puts them into $work/RELEASE
bare_packages ()
{
  local release=$1 name=$2
  bare_inside "$name" "apt-get update -qq
    apt-get install -qq --no-install-recommends dpkg-dev >/dev/null
    apt-get build-dep -qq --no-install-recommends ./ >/dev/null"
  # the source package wants the release apart from debian/; bytes of its archive are not of interest
  bare_inside "$name" "mkdir -p /build && cp -r . /build/gst-gles-compute && cd /build/gst-gles-compute &&
    version=\$(dpkg-parsechangelog -S Version | sed 's/-[^-]*\$//') &&
    tar --exclude=./debian --transform \"s,^\.,gst-gles-compute-\$version,\" -czf ../gst-gles-compute_\$version.orig.tar.gz . &&
    dpkg-buildpackage -us -uc" >"$work/$name.log" 2>&1 || { tail -50 "$work/$name.log"; return 1; }
  rm -rf "${work:?}/$release"
  mkdir "$work/$release"
  cp "$work/$name/build/"*.deb "$work/$release"
}
