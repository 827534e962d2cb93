# What scripts and the Makefile ask about the project. Sourced by any POSIX shell, in the project's
# folder.
# shellcheck shell=sh

# The executables, one a line: the products of Package.swift.
products() {
  sed -n 's/^ *\.executable(name: "\([A-Za-z0-9]*\)", targets:.*/\1/p' Package.swift
}

# Those that are functions.
function_names() {
  products | grep -vxE 'emulator|serve'
}

# What the image of a product holds: itself first, beside a function what serves it over HTTP, beside
# the emulator all functions.
image_products() {
  echo "$1"
  if [ "$1" = emulator ]; then function_names; else products | grep -x serve || true; fi
}

# The version of what is built here, by the nearest tag. VERSION, REVISION and SOURCE_DATE_EPOCH
# say it where there is no repository.
version() {
  echo "${VERSION:-$(git describe --tags --always --dirty 2>/dev/null || echo unknown)}"
}

# The commit, and `-dirty-` with a hash if what is built here isn't all in it.
revision() {
  if [ -n "${REVISION:-}" ]; then
    echo "$REVISION"
  elif commit=$(git rev-parse --verify --quiet HEAD 2>/dev/null); then
    changed=$(uncommitted)
    echo "$commit${changed:+-dirty-$changed}"
  else
    echo unknown
  fi
}

# What images are made of, as git's pathspecs.
sources="Package.swift Functions Shared emulator :!*.md"

# A hash of what in the sources is changed or new since the commit; nothing if nothing is.
# shellcheck disable=SC2086
uncommitted() {
  [ -n "$(git status --porcelain --untracked-files=all -- $sources)" ] || return 0
  {
    git diff --binary --no-color --no-ext-diff --no-textconv HEAD -- $sources
    git ls-files --others --exclude-standard -- $sources
    git ls-files --others --exclude-standard -- $sources | git hash-object --no-filters --stdin-paths
  } | sha256 | cut -c 1-8
}

# Seconds since 1970 that files and labels carry, so that the same commit gives the same bytes.
source_date() {
  echo "${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}"
}

# Where the source is: SOURCE_URL, else the repository's origin if that is a web address, without
# what may be a password in it; else nothing.
source_url() {
  if [ -n "${SOURCE_URL:-}" ]; then
    echo "$SOURCE_URL"
  else
    git config --get remote.origin.url 2>/dev/null | sed -n \
      -e 's|^git@\([^:]*\):\(.*\)$|https://\1/\2|' \
      -e 's|^https://\([^/@]*@\)\{0,1\}|https://|p'
  fi
}

# The SPDX expression that the LICENSE file names, if there is one.
license() {
  sed -n '/SPDX-License-Identifier:/{ s/^.*Identifier: *//p; q; }' LICENSE 2>/dev/null || true
}

# Lines "hash  file" of files or of stdin; macOS has it by another name.
sha256() {
  if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi
}

# Prints what is wrong and ends with a status, 1 by default.
fail() {
  echo "$0: $1" >&2
  exit "${2:-1}"
}

# Ends if one of the commands isn't there.
need() {
  for tool in "$@"; do
    command -v "$tool" >/dev/null || fail "$tool is missing"
  done
}
