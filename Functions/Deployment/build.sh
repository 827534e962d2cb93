# Builds release executables. Sourced after project.sh.
# shellcheck shell=bash

# build [PRODUCT…]: builds executables, all by default, strips them into dist/, and writes the
# revision of each into dist/revisions.
build() {
  local chosen product binaries revision
  chosen=$(if [[ $# -gt 0 ]]; then printf '%s\n' "$@"; else products; fi)
  for product in $chosen; do
    products | grep -xF -- "$product" >/dev/null || fail "there is no product $product" 64
  done
  need swift strip
  mkdir -p dist/revisions
  revision=$(revision)
  for product in $chosen; do
    rm -f "dist/revisions/$product"
    swift build -c release --product "$product"
    binaries=$(swift build -c release --show-bin-path)
    install -m 755 "$binaries/$product" "dist/$product"
    strip "dist/$product"
  done
  [[ $(revision) == "$revision" ]] || fail "the sources changed during the build: build again"
  for product in $chosen; do
    echo "$revision" > "dist/revisions/$product"
  done
}
