# The files that the archive and the .deb install. Sourced after project.sh and libraries.sh.
# shellcheck shell=bash

# package_files BINARIES FOLDER NAME: writes the files to a folder with bin, lib and share, such as
# /usr/local. NAME is the component's name in the list of contained packages. $work is a temporary
# folder.
package_files() {
  local binaries=$1 folder=$2
  local programs=$2/lib/worldchat-functions data=$2/share/worldchat-functions doc=$2/share/doc/worldchat-functions
  local product file function
  mkdir -p "$programs" "$folder/bin" "$data/project" "$data/schemas" "$data/recordings" "$doc"

  # The emulator finds the functions, and VERSION, in the folder of its file.
  mkdir -p "$work/inventory/app/app"
  for product in $(products); do
    [[ -x $binaries/$product ]] || fail "there is no executable $binaries/$product" 66
    install -m 755 "$binaries/$product" "$work/inventory/app/app/$product"
  done
  Functions/Deployment/inventory.sh "$work/inventory" "$3"
  mv "$work"/inventory/app/app/* "$programs"
  mv "$work/inventory/app/usr/share/doc" "$doc/licenses"
  mv "$work/inventory/sbom.cdx.json" "$doc"
  version_line > "$programs/VERSION"
  ln -s ../lib/worldchat-functions/emulator "$folder/bin/emulator"

  completion bash "$folder/share/bash-completion/completions/emulator"
  completion zsh "$folder/share/zsh/site-functions/_emulator"
  completion fish "$folder/share/fish/vendor_completions.d/emulator.fish"

  install -m 644 Shared/Schemas/*.json "$data/schemas/"
  for function in $(function_names); do
    [[ ! -d Tests/Recordings/$function ]] || cp -R "Tests/Recordings/$function" "$data/recordings/"
  done
  for file in firebase.json $(jq -r '.firestore.rules, .firestore.indexes, .database.rules, .storage.rules' firebase.json); do
    install -m 644 "$file" "$data/project/"
  done
  copyright "$doc" > "$doc/copyright"
}

# completion SHELL FILE: writes a shell's completions of the emulator's arguments.
completion() {
  mkdir -p "$(dirname "$2")"
  "$programs/emulator" --generate-completion-script "$1" > "$2" \
    || fail "emulator --generate-completion-script $1 failed"
}

# copyright DOC: prints the text of the file copyright.
copyright() {
  echo "worldchat-functions: the server-side functions of WorldChat, and their emulator."
  echo
  if [[ -e LICENSE ]]; then cat LICENSE; else echo "The sources have no license."; fi
  echo
  echo "The programs contain these packages, whose licenses are in the folder licenses:"
  (cd "$1/licenses" && printf '  %s\n' *)
}

# library_packages FOLDER: prints lines "library package" for the libraries of the executables in
# a folder. Prints nothing on a system without Debian's packages.
library_packages() {
  [[ -z $(missing_tools ldd objdump dpkg-query) ]] || return 0
  local file executables=()
  for file in "$1"/*; do [[ ! -x $file ]] || executables+=("$file"); done
  needed "${executables[@]}"
}

# missing_tools TOOL…: prints the commands that don't exist.
missing_tools() {
  local tool missing=()
  for tool in "$@"; do command -v "$tool" >/dev/null || missing+=("$tool"); done
  echo "${missing[*]-}"
}
