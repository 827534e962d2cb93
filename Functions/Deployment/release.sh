#!/usr/bin/env bash
# Makes packages of the emulator and the functions for machines without Swift, in dist/:
#
#   worldchat-functions-VERSION-SYSTEM-MACHINE.tar.gz    the archive, with install.sh
#   worldchat-functions_VERSION_ARCHITECTURE.deb         the same files; only on Debian and Ubuntu
#   ….sha256                                             the hash of each of the two
#   install.sh                                           the same as in the archive
#
# usage: release.sh [--binaries DIR] [--output DIR]      (make release)
#
# Without --binaries, the executables are built first. Before anything is written, the archive's
# functions replay its recorded invocations. If a result differs, nothing is written.
set -euo pipefail
cd "$(dirname "$0")/../.."
for part in project build libraries package debian; do
  # shellcheck disable=SC1090
  . "Functions/Deployment/$part.sh"
done

binaries="" output=dist
while [[ $# -gt 0 ]]; do
  [[ $1 = --binaries || $1 = --output ]] || fail "there is no option $1" 64
  [[ -n ${2:-} ]] || fail "$1 needs a folder" 64
  if [[ $1 = --binaries ]]; then binaries=$2; else output=$2; fi
  shift 2
done
need jq
if [[ -z $binaries ]]; then
  build
  binaries=dist
fi

work=$(mktemp -d)
name=worldchat-functions-$(version)-$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)
folder=$work/$name
archive=$output/$name.tar.gz
made=$archive
trap 'rm -rf "$work"; for file in $made; do rm -f "$file.new"; done' EXIT
umask 022
mkdir -p "$folder" "$output"
package_files "$binaries" "$folder" "$name"
install -m 755 Functions/Deployment/install.sh "$folder/install.sh"
install -m 644 Functions/Deployment/RELEASE.md "$folder/README.md"
ln -s lib/worldchat-functions/VERSION "$folder/VERSION"
library_packages "$folder"/lib/worldchat-functions > "$folder/LIBRARIES"
# The names of files have no spaces.
# shellcheck disable=SC2046
(cd "$folder" && sha256 $(find . -type f | sed 's|^\./||' | LC_ALL=C sort)) > "$work/sums"
mv "$work/sums" "$folder/SHA256SUMS"

# With GNU tar, the same files always give the same archive.
if tar --version | grep GNU >/dev/null; then
  tar --create --directory "$work" --format=gnu --sort=name --owner=0 --group=0 --numeric-owner \
    --mtime="@$(source_date)" "$name" | gzip --no-name > "$archive.new"
else
  tar -c -C "$work" "$name" | gzip -n > "$archive.new"
fi

# Unpack and test the archive as its users do.
mkdir "$work/unpacked"
tar -xzf "$archive.new" -C "$work/unpacked"
(cd "$work/unpacked/$name" && bin/emulator replay share/worldchat-functions/recordings) > "$work/replay" 2>&1 \
  || fail "replaying the archive's recordings failed: $(cat "$work/replay")"

missing=$(missing_tools dpkg dpkg-deb dpkg-shlibdeps)
if [[ -z $missing ]]; then
  package=$output/$(debian_name).deb
  made="$made $package"
  debian_package "$folder" "$package.new"
else
  echo "no .deb was made: $missing is missing (on Debian and Ubuntu: apt-get install dpkg-dev)" >&2
fi
for file in $made; do
  mv "$file.new" "$file"
  (cd "$output" && sha256 "$(basename "$file")" > "$(basename "$file").sha256")
  echo "$file, $(($(wc -c < "$file") / 1000000)) MB"
done
install -m 755 Functions/Deployment/install.sh "$output/install.sh"
