# Makes container images without Docker, in an OCI image layout: a folder that skopeo, umoci and
# crane read.
# Sourced after project.sh and build.sh.
# shellcheck shell=bash

image_usage="usage: $0 image [FUNCTION|emulator]… [--output DIR] [--binaries DIR]
Makes container images in an OCI layout, by default of all functions and the emulator in dist/images.
The executables are built first, unless --binaries names their folder."

# Prints the name of a product's image, in lower case because registries allow no capitals.
image_name() {
  jq -nr -L Functions/Deployment --arg name "$1" 'include "names"; $name | kebab'
}

image() {
  local layout=dist/images binaries="" chosen="" product
  while [[ $# -gt 0 ]]; do
    case $1 in
      --output | --binaries)
        [[ -n ${2:-} ]] || fail "$1 needs a folder" 64
        if [[ $1 = --output ]]; then layout=$2; else binaries=$2; fi
        shift 2
        ;;
      -h | --help) echo "$image_usage"; return ;;
      -*) fail "image has no option $1
$image_usage" 64 ;;
      *)
        { function_names; echo emulator; } | grep -xF -- "$1" >/dev/null \
          || fail "there is no function $1: give a function's name, or emulator" 64
        chosen="$chosen $1"
        shift
        ;;
    esac
  done
  [[ $(uname) = Linux && -e /etc/debian_version ]] \
    || fail "image needs Debian, whose libraries it copies. With Docker (Functions/Deployment/README.md):
  docker build --platform linux/amd64 -f Functions/Deployment/Dockerfile --build-arg FUNCTION=translateMessage \\
    -t REGION-docker.pkg.dev/PROJECT/worldchat/translate-message:TAG ." 69
  need dpkg-query flock jq openssl gzip sha256sum tar
  # A failure in $(…) must end the script: otherwise an incomplete layer would get a digest.
  shopt -s inherit_errexit
  [[ -n $chosen ]] || chosen="$(function_names) emulator"
  if [[ -z $binaries ]]; then
    # shellcheck disable=SC2046
    build $(for product in $chosen; do image_products "$product"; done | sort -u)
    binaries=dist
  fi

  [[ ! -e $layout || -e $layout/oci-layout || -z $(ls -A "$layout") ]] \
    || fail "$layout has files that are not images: use an empty folder" 73
  mkdir -p "$layout/blobs/sha256"
  # The lock is held until this process ends, even if it is killed.
  exec 9< "$layout"
  flock -n 9 || fail "another deploy.sh image is running in $layout" 75
  echo '{"imageLayoutVersion":"1.0.0"}' > "$layout/oci-layout"
  [[ -s $layout/index.json ]] \
    || echo '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[]}' \
      > "$layout/index.json"
  printf '%-18s %11s %9s   %s\n' image compressed unpacked digest
  for product in $chosen; do
    image_add "$product" "$binaries" "$layout"
  done
  image_sweep "$layout"
}

# Adds or replaces a product's image in a layout, and prints its size. The image becomes visible
# when the last step writes the index. Until then, its files are in a temporary folder there.
image_add() (
  product=$1 binaries=$2 layout=$3
  name=$(image_name "$product")
  revision=$(image_revision "$product" "$binaries")
  if [[ $revision == unknown ]]; then export VERSION=${VERSION:-unknown}; fi
  work=$(mktemp -d "$layout/new.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  REVISION=$revision Functions/Deployment/rootfs.sh "$product" "$binaries" "$work/root"
  Functions/Deployment/inventory.sh "$work/root" "$name"

  base=$(image_layer "$work/root/base" "$layout" "libraries and certificates")
  app=$(image_layer "$work/root/app" "$layout" "executables")
  config=$(image_config "$product" "$base" "$app" | image_blob "$layout")
  manifest=$(jq -cn --argjson config "$config" --argjson base "$base" --argjson app "$app" '{
    schemaVersion: 2, mediaType: "application/vnd.oci.image.manifest.v1+json",
    config: ({mediaType: "application/vnd.oci.image.config.v1+json"} + $config),
    layers: [$base, $app | {mediaType: "application/vnd.oci.image.layer.v1.tar+gzip"} + .descriptor]
  }' | image_blob "$layout")
  jq --arg name "$name" --arg architecture "$(dpkg --print-architecture)" --argjson manifest "$manifest" '
    .manifests as $others
    | {schemaVersion: 2, mediaType: "application/vnd.oci.image.index.v1+json", manifests: ([
        {mediaType: "application/vnd.oci.image.manifest.v1+json"} + $manifest + {
          platform: {architecture: $architecture, os: "linux"},
          annotations: {"org.opencontainers.image.ref.name": $name}
        },
        ($others[] | select(.annotations["org.opencontainers.image.ref.name"] != $name))
      ] | sort_by(.annotations["org.opencontainers.image.ref.name"]))}
  ' "$layout/index.json" > "$work/index.json"
  install -m 644 "$work/root/sbom.cdx.json" "$layout/$name.cdx.json"
  mv "$work/index.json" "$layout/index.json"
  jq -rn --arg name "$name" --argjson base "$base" --argjson app "$app" --argjson manifest "$manifest" \
    '[$name, ($base, $app | .descriptor.size), ($base, $app | .unpacked), $manifest.digest] | @tsv' \
    | awk '{ printf "%-18s %8.1f MB %6.1f MB   %s\n", $1, ($2+$3)/1e6, ($4+$5)/1e6, $6 }'
)

# image_revision PRODUCT BINARIES: prints the revision of a product's executables, from the file
# that `build` wrote or from REVISION, or else `unknown`.
image_revision() {
  local executable revisions
  revisions=$(for executable in $(image_products "$1"); do
    cat "$2/revisions/$executable" 2> /dev/null || echo "${REVISION:-unknown}"
  done | sort -u)
  [[ $revisions != *$'\n'* ]] || fail "the executables for $1 in $2 aren't of the same revision: run $0 build" 65
  echo "$revisions"
}

# image_blob LAYOUT: stores stdin as a blob of a layout, and prints the blob's descriptor. $work is
# a folder in the layout.
image_blob() {
  local blob digest
  blob=$(mktemp "$work/blob.XXXXXX")
  cat > "$blob"
  chmod 644 "$blob"
  digest=$(sha256sum < "$blob" | cut -d ' ' -f 1)
  mv "$blob" "$1/blobs/sha256/$digest"
  printf '{"digest":"sha256:%s","size":%s}' "$digest" "$(wc -c < "$1/blobs/sha256/$digest")"
}

# image_layer FOLDER LAYOUT TEXT: makes a layer of a folder's files, and prints
# {"descriptor","diffID","unpacked","text"}. The same files always give the same layer.
image_layer() {
  local tar=$1.tar diff descriptor
  tar --create --file "$tar" --directory "$1" --format=gnu --sort=name --owner=0 --group=0 \
    --numeric-owner --mtime="@$(source_date)" .
  diff=$(sha256sum < "$tar" | cut -d ' ' -f 1)
  gzip --no-name < "$tar" > "$tar.gz"
  descriptor=$(image_blob "$2" < "$tar.gz")
  jq -cn --arg diff "sha256:$diff" --arg text "$3" --argjson unpacked "$(wc -c < "$tar")" \
    --argjson descriptor "$descriptor" '{$descriptor, diffID: $diff, $unpacked, $text}'
}

# Prints the configuration of an image, which is the same as in the Dockerfile.
image_config() {
  jq -cn --arg product "$1" --argjson base "$2" --argjson app "$3" \
    --arg architecture "$(dpkg --print-architecture)" --argjson date "$(source_date)" \
    --arg name "$(image_name "$1")" --arg source "$(source_url)" --arg revision "$revision" \
    --arg version "$(version)" --arg licenses "$(license)" '
    ($date | todate) as $created
    | ($product == "emulator") as $isEmulator
    | {
      created: $created, $architecture, os: "linux",
      config: {
        User: "65532:65532",
        ExposedPorts: ((if $isEmulator then [8080, 5001, 4000, 4400] else [8080] end)
          | map({key: "\(.)/tcp", value: {}}) | from_entries),
        Env: ["PATH=/app", "SSL_CERT_DIR=/etc/ssl/certs"],
        Entrypoint: (["/app/" + $product] + if $isEmulator then [] else ["--serve"] end),
        Cmd: (if $isEmulator then ["start", "--host", "0.0.0.0"] else [] end),
        WorkingDir: "/",
        Labels: ({title: $name, $source, $revision, $version, $licenses, $created}
          | with_entries(select(.value != "") | .key |= "org.opencontainers.image." + .))
      },
      rootfs: {type: "layers", diff_ids: [$base, $app | .diffID]},
      history: [$base, $app | {$created, created_by: .text}]
    }'
}

# Removes the blobs of replaced images, and the temporary folders of killed runs.
image_sweep() {
  local used blob
  used=$(jq -r '.manifests[].digest | ltrimstr("sha256:")' "$1/index.json" | while read -r manifest; do
    echo "$manifest"
    jq -r '.config, .layers[] | .digest | ltrimstr("sha256:")' "$1/blobs/sha256/$manifest"
  done)
  for blob in "$1"/blobs/sha256/*; do
    [[ $used == *"${blob##*/}"* ]] || rm "$blob"
  done
  rm -rf "$1"/new.*
}
