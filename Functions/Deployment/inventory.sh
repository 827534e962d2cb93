#!/usr/bin/env bash
# Writes the software bill of materials (SBOM) of a folder made by rootfs.sh, or by release.sh,
# whose folder has no OUT/base:
#
#   OUT/sbom.cdx.json         the executables, libraries and packages with their versions, in
#                             CycloneDX 1.5
#   OUT/app/usr/share/doc/…   the licenses of the Swift packages, and of RE2, in the executables
#
# usage: inventory.sh OUT NAME
#
# The Swift packages are those with targets that the executables depend on, at their resolved
# versions. Debian's packages are read from OUT/base.
set -euo pipefail

[[ $# -eq 2 ]] || { echo "usage: $0 OUT NAME" >&2; exit 64; }
out=$1
name=$2
# shellcheck source=Functions/Deployment/project.sh
. Functions/Deployment/project.sh
need jq swift

# A cache of the package manager's answers: {"tree": nested packages, "packages": {identity:
# description}}, with "" as this package's identity. An answer takes seconds, and is the same for
# every image.
answers=.build/packages.json
if [[ ! -e $answers || Package.swift -nt $answers || Package.resolved -nt $answers ]]; then
  mkdir -p .build
  scratch=$(mktemp -d .build/packages.XXXXXX)
  trap 'rm -rf "$scratch"' EXIT
  tree=$(swift package show-dependencies --format json)
  {
    jq -n '{key: "tree", value: input}' <<< "$tree"
    swift package dump-package | jq '{key: "", value: .}'
    jq -r '[.dependencies[] | .. | objects | select(.identity)] | unique_by(.identity)[]
      | .identity, .path' <<< "$tree" | while read -r identity && read -r path; do
      swift package --package-path "$path" --scratch-path "$scratch/build" dump-package \
        | jq --arg identity "$identity" '{key: $identity, value: .}'
    done
  } | jq -s '{tree: .[0].value, packages: (.[1:] | from_entries)}' > "$scratch/answers"
  mv "$scratch/answers" "$answers"
fi

# Prints {"name": hash} for files of a folder. Their names are read from stdin.
digests() {
  while read -r file; do (cd "$1" && sha256 "$file"); done \
    | jq -Rn '[inputs | {key: .[66:], value: .[:64]}] | from_entries'
}
executables=$(cd "$out/app/app" && find . -type f -perm -100 | sed 's|^\./||' | sort | digests .)
kind=application libraries={} records=/dev/null vendor="" release=""
if [[ -d $out/base ]]; then
  kind=container
  libraries=$(digests "$(echo "$out"/base/usr/lib/*-linux-gnu)" < "$out/unpackaged")
  records="$out/base/var/lib/dpkg/status.d/*"
  vendor=$(sed -n 's/^ID=//p' "$out/base/etc/os-release" | tr -d '"')
  release=$(sed -n 's/^VERSION_ID=//p' "$out/base/etc/os-release" | tr -d '"')
fi

packages=$(jq --argjson executables "$executables" '
  .tree as $tree | .packages as $packages
  # The targets of a product of any package. Targets are written "package/target".
  | def of_product($name): $packages | to_entries[] | .key as $package
      | .value.products[] | select(.name == $name) | .targets[] | $package + "/" + .;
  def reached($needs): . as $some
      | (. + [.[] | $needs[.] // [] | .[]] | unique)
      | if . == $some then . else reached($needs) end;
  ($packages | to_entries | map(.key as $package | [.value.targets[].name] as $own
    | .value.targets[] | {
      key: ($package + "/" + .name),
      value: [.dependencies[]
        | (.target // .byName // .product)[0] as $name
        | if (.product | not) and any($own[]; . == $name) then $package + "/" + $name
          else of_product($name) end]
    }) | from_entries) as $needs
  | [$packages[""].products[] | select(.name | in($executables)) | "/" + .targets[]]
  | reached($needs) | map(split("/")[0]) | unique
  | [.[] as $identity | [$tree | .. | objects | select(.identity == $identity)][0] // empty]
' "$answers")

jq -r '.[] | .identity, .path' <<< "$packages" | while read -r identity && read -r path; do
  for file in "$path"/LICENSE* "$path"/NOTICE*; do
    [[ -f $file ]] || continue
    mkdir -p "$out/app/usr/share/doc/$identity"
    install -m 644 "$file" "$out/app/usr/share/doc/$identity"
  done
done

# RE2 is a static library of Debian in the emulator.
contained=[]
re2=/usr/share/doc/libre2-dev/copyright
if [[ -e $out/app/app/emulator && -f $re2 ]]; then
  mkdir -p "$out/app/usr/share/doc/libre2-dev"
  install -m 644 "$re2" "$out/app/usr/share/doc/libre2-dev"
  contained=$(dpkg-query -W -f '${Package} ${Version}\n' libre2-dev | jq -R '[split(" ") | {
    type: "library", name: .[0], version: .[1], purl: ("pkg:deb/debian/" + .[0] + "@" + (.[1] | @uri))
  }]')
fi

# `swift --version` leaves a temporary folder behind. It is created in OUT, to be deleted with OUT.
compiler=$(TMPDIR=$(cd "$out" && pwd) swift --version 2>/dev/null | sed -n 's/.*(swift-\([^)]*\)-RELEASE).*/\1/p')
for record in $records; do cat "$record"; echo; done | jq -Rs \
  --arg kind "$kind" --arg name "$name" --arg version "$(version)" --argjson date "$(source_date)" \
  --arg compiler "${compiler:-unknown}" --argjson executables "$executables" \
  --argjson libraries "$libraries" --argjson packages "$packages" --argjson contained "$contained" \
  --arg vendor "$vendor" --arg release "$release" '
  def digest: [{alg: "SHA-256", content: .}];
  def files($type): to_entries[] | {type: $type, name: .key, hashes: (.value | digest)};
  def field($name): capture("(^|\n)" + $name + ": (?<value>[^\n]*)").value;
  {
    bomFormat: "CycloneDX", specVersion: "1.5", version: 1,
    metadata: {
      timestamp: ($date | todate),
      component: {type: $kind, "bom-ref": $name, $name, version: $version}
    },
    components: [
      ($executables | files("application") + {version: $version}),
      ($libraries | files("library")),
      $contained[],
      ({identity: "swift", url: "https://github.com/swiftlang/swift", version: $compiler},
        $packages[] | {
          type: "library", name: .identity, version,
          purl: ("pkg:swift/" + (.url | ltrimstr("https://") | rtrimstr(".git")) + "@" + .version),
          externalReferences: [{type: "vcs", url}]
        }),
      (split("\n\n")[] | select(test("^Package: ")) | {
          type: "library", name: field("Package"), version: field("Version"),
          purl: ("pkg:deb/" + $vendor + "/" + (field("Package") | @uri) + "@" + (field("Version") | @uri)
            + "?arch=" + field("Architecture") + "&distro=" + $vendor + "-" + $release)
        })
    ] | map({"bom-ref": (.purl // .name)} + .) | sort_by(."bom-ref")
  }' > "$out/sbom.cdx.json"
