#!/usr/bin/env bash
# Takes the functions to the cloud. So far it builds them; the rest is refused by name.
#
#   ./deploy.sh build     the release executables, stripped, into dist/
set -euo pipefail
cd "$(dirname "$0")"

products=(translateMessage sendNotification analyzeMessage smartReplies askAI emulator)

usage() {
  echo "usage: $0 build" >&2
  exit 64
}

build() {
  mkdir -p dist
  local product
  for product in "${products[@]}"; do
    swift build -c release --product "$product"
    install -m 755 "$(swift build -c release --show-bin-path)/$product" "dist/$product"
  done
  if command -v strip >/dev/null; then
    strip "${products[@]/#/dist/}"
  fi
  ls -l dist
}

[[ $# -eq 1 ]] || usage
case "$1" in
  build) build ;;
  plan | apply | status | rollback | destroy | image)
    echo "$0: $1 is not built yet" >&2
    exit 64
    ;;
  *) usage ;;
esac
