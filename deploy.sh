#!/usr/bin/env bash
# Takes the functions to the cloud. So far it builds them and their images; the rest is refused by
# name.
#
#   ./deploy.sh build [PRODUCT…]    the release executables, stripped, into dist/
#   ./deploy.sh image [FUNCTION…]   container images, into dist/images
set -euo pipefail
cd "$(dirname "$0")"

for part in project build image; do
  # shellcheck disable=SC1090
  . "Functions/Deployment/$part.sh"
done

usage() {
  echo "usage: $0 build [PRODUCT…]
       $0 image [FUNCTION|emulator]… [--output DIR] [--binaries DIR]" >&2
  exit 64
}

[[ $# -ge 1 ]] || usage
command=$1
shift
case "$command" in
  build | image) "$command" "$@" ;;
  plan | apply | status | rollback | destroy)
    echo "$0: $command is not built yet" >&2
    exit 64
    ;;
  *) usage ;;
esac
