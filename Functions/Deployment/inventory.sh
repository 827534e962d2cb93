#!/usr/bin/env bash
# Says what is in a folder that rootfs.sh has laid out for a container, or release.sh without a base:
#
#   OUT/sbom.cdx.json         the executables, libraries and packages in it with their versions, in
#                             CycloneDX 1.5
#   OUT/app/usr/share/doc/…   the licences of the Swift packages in the executables
#
# usage: inventory.sh OUT NAME
#
# The Swift packages are those that the executables' targets in Package.swift lead to, at the
# versions they were resolved to here. Debian's are read from the root.
set -euo pipefail

[[ $# -eq 2 ]] || { echo "usage: $0 OUT NAME" >&2; exit 64; }
out=$1
name=$2
# shellcheck source=Functions/Deployment/project.sh
. Functions/Deployment/project.sh
need jq swift

# The package manager takes seconds to answer, and the answer is the same for every image.
answers=.build/packages.json
if [[ ! -e $answers || Package.swift -nt $answers || Package.resolved -nt $answers ]]; then
  mkdir -p .build
  { swift package dump-package; swift package show-dependencies --format json; } \
    | jq -s '{package: .[0], tree: .[1]}' > "$answers.new"
  mv "$answers.new" "$answers"
fi

# Prints {"name": hash} of the files of a folder that are named on stdin.
digests() {
  while read -r file; do (cd "$1" && sha256 "$file"); done \
    | jq -Rn '[inputs | {key: .[66:], value: .[:64]}] | from_entries'
}
executables=$(cd "$out/app/app" && find . -type f | sed 's|^\./||' | sort | digests .)
kind=application libraries={} records=/dev/null debian=""
if [[ -d $out/base ]]; then
  kind=container
  libraries=$(digests "$(echo "$out"/base/usr/lib/*-linux-gnu)" < "$out/unpackaged")
  records="$out/base/var/lib/dpkg/status.d/*"
  debian=$(sed -n 's/^VERSION_ID=//p' "$out/base/etc/os-release" | tr -d '"')
fi

packages=$(jq --argjson executables "$executables" '
  .package as $package | .tree as $tree
  # The targets that some targets lead to, themselves among them.
  | def reached($needs): . as $some
      | (. + [.[] | $needs[.] // [] | .[]] | unique)
      | if . == $some then . else reached($needs) end;
  ($package.targets
    | map({key: .name, value: [.dependencies[] | (.byName // .target // empty)[0]]})
    | from_entries) as $needs
  | ([$package.products[] | select(.name | in($executables)) | .targets[]]
    | unique | reached($needs)) as $targets
  | [$package.targets[] | select(.name | IN($targets[])) | .dependencies[].product // empty
    | .[1] | ascii_downcase] as $direct
  | [$tree | .. | objects | select(.identity | IN($direct[])) | .. | objects | select(.identity)]
  | unique_by(.identity)
' "$answers")

jq -r '.[] | .identity, .path' <<< "$packages" | while read -r identity && read -r path; do
  for file in "$path"/LICENSE* "$path"/NOTICE*; do
    [[ -f $file ]] || continue
    mkdir -p "$out/app/usr/share/doc/$identity"
    install -m 644 "$file" "$out/app/usr/share/doc/$identity"
  done
done

compiler=$(swift --version 2>/dev/null | sed -n 's/.*(swift-\([^)]*\)-RELEASE).*/\1/p')
for record in $records; do cat "$record"; echo; done | jq -Rs \
  --arg kind "$kind" --arg name "$name" --arg version "$(version)" --argjson date "$(source_date)" \
  --arg compiler "${compiler:-unknown}" --argjson executables "$executables" \
  --argjson libraries "$libraries" --argjson packages "$packages" \
  --arg debian "$debian" '
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
      ({identity: "swift", url: "https://github.com/swiftlang/swift", version: $compiler},
        $packages[] | {
          type: "library", name: .identity, version,
          purl: ("pkg:swift/" + (.url | ltrimstr("https://") | rtrimstr(".git")) + "@" + .version),
          externalReferences: [{type: "vcs", url}]
        }),
      (split("\n\n")[] | select(test("^Package: ")) | {
          type: "library", name: field("Package"), version: field("Version"),
          purl: ("pkg:deb/debian/" + (field("Package") | @uri) + "@" + (field("Version") | @uri)
            + "?arch=" + field("Architecture") + "&distro=debian-" + $debian)
        })
    ] | map({"bom-ref": (.purl // .name)} + .) | sort_by(."bom-ref")
  }' > "$out/sbom.cdx.json"
