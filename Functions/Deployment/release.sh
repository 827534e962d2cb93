#!/usr/bin/env bash
# Makes an archive of the emulator and the functions for machines without Swift, in dist/:
#
#   worldchat-functions-VERSION-SYSTEM-MACHINE.tar.gz, and its hash in …tar.gz.sha256
#
# usage: release.sh [--binaries DIR] [--output DIR]      (make release)
#
# Without --binaries, the executables are built first. Before the archive is written, its functions
# replay its recorded invocations. If a result differs, no archive is written.
set -euo pipefail
cd "$(dirname "$0")/../.."
for part in project build; do
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
if [[ -z $binaries ]]; then
  build
  binaries=dist
fi

work=$(mktemp -d)
name=worldchat-functions-$(version)-$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)
folder=$work/$name
archive=$output/$name.tar.gz
trap 'rm -rf "$work" "$archive.new"' EXIT
umask 022
mkdir -p "$work/root/app/app" "$folder/schemas" "$folder/recordings" "$output"
for product in $(products); do
  [[ -x $binaries/$product ]] || fail "there is no executable $binaries/$product" 66
  install -m 755 "$binaries/$product" "$work/root/app/app/$product"
done
Functions/Deployment/inventory.sh "$work/root" "$name"
mv "$work"/root/app/app/* "$folder"
mv "$work/root/app/usr/share/doc" "$folder/licenses"
mv "$work/root/sbom.cdx.json" "$folder"
install -m 644 Functions/Deployment/RELEASE.md "$folder/README.md"
install -m 644 Shared/Schemas/*.json "$folder/schemas/"
[[ ! -e LICENSE ]] || install -m 644 LICENSE "$folder/LICENSE"
for function in $(function_names); do
  [[ ! -d Tests/Recordings/$function ]] || cp -R "Tests/Recordings/$function" "$folder/recordings/"
done
echo "$(version) $(revision)" > "$folder/VERSION"

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
(cd "$work/unpacked/$name" && ./emulator replay recordings) > "$work/replay" 2>&1 \
  || fail "replaying the archive's recordings failed: $(cat "$work/replay")"
mv "$archive.new" "$archive"
(cd "$output" && sha256 "$name.tar.gz" > "$name.tar.gz.sha256")
echo "$archive, $(($(wc -c < "$archive") / 1000000)) MB"
