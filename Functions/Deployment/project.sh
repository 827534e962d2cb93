# Facts about the project for scripts and the Makefile. Sourced by any POSIX shell, in the project's
# folder.
# shellcheck shell=sh

# Prints the executables, one per line: the products of Package.swift.
products() {
  sed -n 's/^ *\.executable(name: "\([A-Za-z0-9]*\)", targets:.*/\1/p' Package.swift
}

# Prints the executables that are functions.
function_names() {
  products | grep -vxE 'emulator|serve'
}

# Prints the executables in a product's image: the product first, then `serve` for a function, or
# all functions for the emulator.
image_products() {
  echo "$1"
  if [ "$1" = emulator ]; then function_names; else products | grep -x serve || true; fi
}

# Prints the version of the sources, from the nearest tag. Without a repository, the variables
# VERSION, REVISION and SOURCE_DATE_EPOCH replace what git would print.
version() {
  echo "${VERSION:-$(git describe --tags --always --dirty 2>/dev/null || echo unknown)}"
}

# Prints the commit, with `-dirty-` and a hash if the sources have uncommitted changes.
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

# Prints the line of a file VERSION, which is beside the emulator in archives and images.
version_line() {
  echo "$(version) $(revision)"
}

# The sources of images, as git pathspecs.
sources="Package.swift Functions Shared emulator :!*.md"

# Prints a hash of the sources' uncommitted changes, or nothing if there are none.
# shellcheck disable=SC2086
uncommitted() {
  [ -n "$(git status --porcelain --untracked-files=all -- $sources)" ] || return 0
  {
    git diff --binary --no-color --no-ext-diff --no-textconv HEAD -- $sources
    git ls-files --others --exclude-standard -- $sources
    git ls-files --others --exclude-standard -- $sources | git hash-object --no-filters --stdin-paths
  } | sha256 | cut -c 1-8
}

# Prints the time for files and labels, in seconds since 1970. By default it is the commit's, so
# that the same commit gives the same bytes.
source_date() {
  echo "${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}"
}

# Prints the URL of the sources: SOURCE_URL if it is set, or else the web address of the
# repository's origin, without user and password. Prints nothing if there is neither.
source_url() {
  if [ -n "${SOURCE_URL:-}" ]; then
    echo "$SOURCE_URL"
  else
    git config --get remote.origin.url 2>/dev/null | sed -n \
      -e 's|^git@\([^:]*\):\(.*\)$|https://\1/\2|' \
      -e 's|^https://\([^/@]*@\)\{0,1\}|https://|p'
  fi
}

# Prints the SPDX expression in the LICENSE file, if there is one.
license() {
  sed -n '/SPDX-License-Identifier:/{ s/^.*Identifier: *//p; q; }' LICENSE 2>/dev/null || true
}

# Prints lines "hash  file" for files or stdin, with sha256sum or macOS's shasum.
sha256() {
  if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi
}

# Prints an error and exits with a status, 1 by default.
fail() {
  echo "$0: $1" >&2
  exit "${2:-1}"
}

# Exits if one of the commands is missing.
need() {
  for tool in "$@"; do
    command -v "$tool" >/dev/null || fail "$tool is missing"
  done
}
