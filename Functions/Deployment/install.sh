#!/bin/sh
# Installs WorldChat's emulator and functions from the archive that `make release` makes.
set -eu
export LC_ALL=C

usage="usage: install.sh [--prefix DIR] [ARCHIVE]
       install.sh --uninstall [--prefix DIR]

Installs from the unpacked archive in the folder of this script, or else from the archive there. DIR
is by default /usr/local for root, and ~/.local for others. The checksums, and the libraries that the
programs need, are checked before any file is written to DIR."

fail() {
  echo "install.sh: $1" >&2
  exit "${2:-1}"
}

sha256() {
  if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi
}

# unpack ARCHIVE: checks the archive's hash, unpacks it to a temporary folder, and sets $source.
unpack() {
  [ -f "$1" ] || fail "there is no archive $1" 66
  [ -f "$1.sha256" ] || fail "there is no $1.sha256: put the archive's hash beside it" 66
  [ "$(sha256 < "$1" | cut -c 1-64)" = "$(cut -c 1-64 "$1.sha256")" ] \
    || fail "$1 doesn't have the hash in $1.sha256: copy both again. Nothing was installed." 65
  mkdir "$work/unpacked"
  tar -xzf "$1" -C "$work/unpacked" || fail "$1 can't be unpacked. Nothing was installed."
  for source in "$work"/unpacked/*; do [ ! -f "$source/SHA256SUMS" ] || return 0; done
  fail "$1 is another archive: it has no SHA256SUMS" 65
}

# Sets $source to the folder with the unpacked archive.
find_source() {
  here=$(cd "$(dirname "$0")" && pwd)
  if [ -n "$archive" ]; then
    unpack "$archive"
  elif [ -f "$here/SHA256SUMS" ]; then
    source=$here
  else
    set -- "$here"/worldchat-functions-*-"$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)".tar.gz
    [ $# -eq 1 ] || fail "there are several archives in $here: name one" 64
    [ -f "$1" ] || fail "there is no archive for $(uname -sm) in $here" 66
    unpack "$1"
  fi
}

# Checks every file of $source, and that no file is missing or unknown.
verify() {
  (cd "$source" && sha256 -c SHA256SUMS) > "$work/checked" 2>&1 || {
    grep -v ': OK$' "$work/checked" >&2 || true
    fail "$source doesn't have its checksums: unpack the archive again. Nothing was installed." 65
  }
  (cd "$source" && find lib share -type f | sort) > "$work/found"
  cut -c 67- "$source/SHA256SUMS" | grep -E '^(lib|share)/' | sort > "$work/files"
  cmp -s "$work/found" "$work/files" || {
    diff "$work/files" "$work/found" | grep '^[<>]' >&2 || true
    fail "$source doesn't have exactly the files in SHA256SUMS: unpack the archive again. Nothing was installed." 65
  }
}

# Checks that this system has the libraries, and names the packages that are missing.
check_system() {
  [ "$(uname -s)" = Linux ] || return 0
  for program in "$source"/lib/worldchat-functions/*; do
    [ -x "$program" ] || continue
    ldd "$program" >> "$work/linked" 2>&1 \
      || fail "the programs don't run on this system ($(uname -sm)): $(tail -n 1 "$work/linked"). Nothing was installed." 69
  done
  sed -n "s/.*\(version \`[^']*'\) not found.*/\1/p" "$work/linked" | sort -u > "$work/old"
  [ ! -s "$work/old" ] \
    || fail "this system is too old for the programs, which need $(paste -s -d , "$work/old"). Nothing was installed." 69
  sed -n 's/^[[:space:]]*\([^ ]*\) => not found$/\1/p' "$work/linked" | sort -u > "$work/missing"
  packages=$({
    while read -r library; do
      package=$(sed -n "s/^$library //p" "$source/LIBRARIES")
      echo "${package:-$library}"
    done < "$work/missing"
    # sendNotification reads the time zones.
    [ -e /usr/share/zoneinfo/UTC ] || echo tzdata
  } | sort -u | paste -s -d ' ')
  [ -n "$packages" ] || return 0
  echo "install.sh: missing packages: $packages" >&2
  sudo="sudo "
  [ "$(id -u)" != 0 ] || sudo=
  if command -v apt-get >/dev/null; then
    echo "Install them, then run install.sh again:
  ${sudo}apt-get update && ${sudo}apt-get install -y $packages" >&2
  else
    echo "These are Debian's names. Install your system's packages, then run install.sh again." >&2
  fi
  fail "nothing was installed" 69
}

# Checks that the user hasn't changed an installed file of WorldChat's project.
check_changes() {
  [ -f "$prefix/$sums" ] || return 0
  grep "^$project/" "$work/old" | while read -r file; do
    [ -f "$prefix/$file" ] || continue
    grep -qxF "$(sha256 < "$prefix/$file" | cut -c 1-64)  $file" "$prefix/$sums" \
      || fail "$prefix/$file has been changed since its installation: move it elsewhere, and run this again. Nothing was done." 73
  done
}

# Checks that no file of something else would be replaced.
check_conflicts() {
  { echo bin/emulator; echo "$sums"; cat "$work/files"; } > "$work/new"
  : > "$work/old"
  [ ! -f "$record" ] || cat "$record" > "$work/old"
  check_changes
  while read -r file; do
    if { [ -e "$prefix/$file" ] || [ -L "$prefix/$file" ]; } && ! grep -qxF "$file" "$work/old"; then
      fail "$prefix/$file exists, and this script hasn't installed it: remove it, or choose another --prefix. Nothing was installed." 73
    fi
  done < "$work/new"
}

# make_folder FOLDER: creates a folder of $prefix, and records the created folders.
make_folder() {
  [ ! -d "$prefix/$1" ] || return 0
  case $1 in */*) make_folder "${1%/*}" ;; esac
  mkdir "$prefix/$1"
  echo "$1/" >> "$record"
}

# Copies the files. A file that runs is replaced by a new one, so that it isn't changed while it
# runs. The record is complete at any time, so that an interrupted installation can be repeated or
# uninstalled.
copy() {
  { mkdir -p "$prefix" && [ -w "$prefix" ]; } \
    || fail "$prefix isn't writable: choose another --prefix, or run this as root" 73
  if [ ! -f "$record" ]; then
    : > "$work/folders"
    for folder in share share/worldchat-functions; do
      [ -d "$prefix/$folder" ] || echo "$folder/" >> "$work/folders"
    done
    mkdir -p "${record%/*}"
    cp "$work/folders" "$record"
  fi
  grep -vxF -f "$record" "$work/new" > "$work/added" || true
  cat "$work/added" >> "$record"
  while read -r file; do
    make_folder "${file%/*}"
    new=$prefix/$file.new
    case $file in
      # The link is absolute, because bin may itself be a link.
      bin/emulator) ln -sf "$prefix/lib/worldchat-functions/emulator" "$new" ;;
      # The hashes of older versions stay, so that an interrupted replacement can be repeated.
      "$sums")
        { [ ! -f "$prefix/$sums" ] || cat "$prefix/$sums"; grep "  $project/" "$source/SHA256SUMS"; } \
          | sort -u > "$new"
        ;;
      *) cp "$source/$file" "$new" ;;
    esac
    mv -f "$new" "$prefix/$file"
  done < "$work/new"
}

# Removes files of an older version that the new one doesn't have.
remove_old() {
  grep -v '/$' "$work/old" | grep -vxF -f "$work/new" > "$work/gone" || true
  while read -r file; do rm -f "$prefix/$file"; done < "$work/gone"
  grep -vxF -f "$work/gone" "$record" > "$record.new" || true
  [ ! -s "$work/gone" ] || mv "$record.new" "$record"
  rm -f "$record.new"
}

uninstall() {
  [ -f "$record" ] || fail "nothing is installed in $prefix" 66
  cp "$record" "$work/old"
  check_changes
  grep -v '/$' "$work/old" | while read -r file; do rm -f "$prefix/$file"; done
  rm -f "$record"
  # Deeper folders first. A folder with files of others stays.
  grep '/$' "$work/old" | sort -r | while read -r folder; do
    rmdir "$prefix/$folder" 2>/dev/null || true
  done
  echo "removed from $prefix"
}

prefix="" archive="" action=install
while [ $# -gt 0 ]; do
  case $1 in
    --prefix)
      [ -n "${2:-}" ] || fail "--prefix needs a folder" 64
      prefix=$2
      shift
      ;;
    --uninstall) action=uninstall ;;
    -h | --help) echo "$usage"; exit ;;
    -*) fail "there is no option $1
$usage" 64 ;;
    *)
      [ -z "$archive" ] || fail "name one archive" 64
      archive=$1
      ;;
  esac
  shift
done
if [ -z "$prefix" ]; then
  if [ "$(id -u)" = 0 ]; then prefix=/usr/local; else prefix=${HOME:?}/.local; fi
fi
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
record=$prefix/share/worldchat-functions/INSTALLED
project=share/worldchat-functions/project
# The file with the hashes of the project's files, as they were installed.
sums=share/worldchat-functions/SHA256SUMS
umask 022
work=$(mktemp -d)
new=$work/none
trap 'rm -rf "$work" "$new"' EXIT
trap 'exit 130' INT TERM HUP

if [ "$action" = uninstall ]; then
  uninstall
  exit
fi
find_source
verify
check_system
check_conflicts
copy
remove_old
echo "installed in $prefix: $(cat "$source/lib/worldchat-functions/VERSION")"
case :$PATH: in
  *":$prefix/bin:"*) echo "Start it: emulator start --seed demo" ;;
  *) echo "Start it: export PATH=\"$prefix/bin:\$PATH\" && emulator start --seed demo" ;;
esac
