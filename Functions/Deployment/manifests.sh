# The functions' manifests. Sourced by deploy.sh.
# shellcheck shell=bash

# Prints the first folder that has all functions.
built_folder() {
  local name candidate
  for candidate in dist .build/release .build/debug; do
    for name in $(function_names); do
      [[ -x $candidate/$name ]] || continue 2
    done
    echo "$candidate"
    return
  done
}

# Prints the paths of the functions: all executables of the given folder, or else the project's
# functions.
executables() {
  local path name folder
  folder=$(setting folder)
  if [[ -n $folder ]]; then
    [[ -d $folder ]] || fail "--functions $folder: there is no such folder" 64
    for path in "$folder"/*; do
      if [[ -f $path && -x $path ]]; then echo "$path"; fi
    done
  else
    folder=$(built_folder)
    [[ -n $folder ]] || fail "no function is built: run $0 build" 69
    for name in $(function_names); do
      echo "$folder/$name"
    done
  fi
}

# Reads the manifests of all functions. The functions are run with the variables of the deployment,
# because the keys that a function needs may depend on these variables.
read_manifests() {
  local paths path line variables=() limit=()
  # macOS has no command `timeout`.
  if command -v timeout > /dev/null; then limit=(timeout 10); fi
  while IFS= read -r line; do
    variables+=("$line")
  done < <(jq -r '.variables | to_entries[]
    | select(.value != "" and (.key | test("KEY|SECRET|TOKEN|PASSWORD|^(PATH|HOME|(DY)?LD_.*)$") | not))
    | "\(.key)=\(.value)"' "$known/settings.json")
  paths=$(executables)
  [[ -n $paths ]] || fail "$(setting folder) has no executable file" 64
  while IFS= read -r path; do
    env -i PATH="$PATH" HOME="${HOME:-/}" ${variables[@]+"${variables[@]}"} \
      ${limit[@]+"${limit[@]}"} "$path" --describe \
      < /dev/null > "$work/manifest" 2> "$work/error" \
      || fail "$path --describe failed: $(describe_error)" 65
    jq -e -c 'select(type == "object" and .contract == 1 and (.name | type == "string"))' "$work/manifest" \
      2> /dev/null || fail "$path --describe printed no manifest of contract 1" 65
  done <<< "$paths" > "$work/manifests"
  jq -r -L "$deployment" -f "$deployment/manifest.jq" "$work/manifests" | refuse 65
  jq -s '{manifests: .}' "$work/manifests" > "$known/manifests.json"
}

# Prints why --describe failed: the error in its output, or else the end of its stderr.
describe_error() {
  local reason
  reason=$(jq -r '.error.message // ""' "$work/manifest" 2> /dev/null) || true
  echo "${reason:-$(tail -n 3 "$work/error")}"
}

# Reads the manifests, and checks that they can be deployed.
read_functions() {
  local circles
  read_manifests
  derive deployment.jq > "$known/deployment.json"
  jq -r '.unknown[]' "$known/deployment.json" | refuse 64
  circles=$(jq '.manifests' "$known/manifests.json" | jq -r -L "$deployment" -f "$deployment/cycles.jq")
  [[ -z $circles ]] || refuse 65 << END
functions trigger each other without end: ${circles//$'\n'/$'\nfunctions trigger each other without end: '}
give one of these triggers "fields": fields that its function needs and that none of these functions writes
END
  jq -r '.problems[]' "$known/deployment.json" | refuse 65
}

# read_storage_rules: reads the security rules of buckets: the entries of firebase.json, the targets of .firebaserc that
# they may name, and the files.
read_storage_rules() {
  local file
  jq -e '{storage: (.storage // [] | if type == "array" then . else [.] end)}
    | select(all(.storage[]; type == "object" and (.rules | type == "string")))' firebase.json \
    > "$known/storage.json" \
    || fail 'firebase.json: "storage" must be an object with "rules", or an array of such objects' 65
  [[ ! -e .firebaserc ]] || jq '{targets}' .firebaserc > "$known/targets.json"
  while IFS= read -r file; do
    [[ -f $file ]] || fail "firebase.json names the security rules $file, but there is no such file" 65
    jq -R -s --arg file "$file" '{rulesFiles: {($file): .}}' -- "$file"
  done < <(jq -r '[.storage[].rules] | unique[]' "$known/storage.json") > "$known/storage-rules.json"
}

# read_folder: reads the names of the functions, the alerts, the indexes, the security rules, and the
# images in dist/images.
read_folder() {
  function_names | jq -R . | jq -s '{products: .}' > "$known/products.json"
  jq '{file: input_filename, title: .displayName}' "$deployment"/alerts/*.json \
    | jq -s '{alerts: .}' > "$known/alerts.json"
  jq '{indexes: .}' firestore.indexes.json > "$known/indexes.json"
  jq -R -s '{rules: .}' firestore.rules > "$known/rules.json"
  jq -R -s '{databaseRules: .}' database.rules.json > "$known/database-rules.json"
  read_storage_rules
  local index=dist/images/index.json blob='"dist/images/blobs/" + sub(":"; "/")' manifests configurations
  [[ -e $index ]] || return 0
  manifests=$(jq -r ".manifests[].digest | $blob" "$index")
  # shellcheck disable=SC2086
  configurations=$(jq -r ".config.digest | $blob" $manifests /dev/null)
  # shellcheck disable=SC2086
  jq -s '[.[0].manifests, .[1:]] | transpose | map(. as [$image, $configuration] | {
      key: $image.annotations["org.opencontainers.image.ref.name"],
      value: {
        digest: $image.digest,
        architecture: ($configuration.architecture // "an unknown architecture"),
        revision: $configuration.config.Labels["org.opencontainers.image.revision"]
      }
    }) | {made: from_entries}' "$index" $configurations > "$known/images.json"
}
