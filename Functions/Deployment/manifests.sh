# What functions say of themselves, and what follows from it. Sourced by deploy.sh.
# shellcheck shell=bash

# The first folder that has all functions.
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

# The executables to ask: those of a folder that is given, else the project's functions.
executables() {
  local path name
  if [[ -n $folder ]]; then
    for path in "$folder"/*; do
      if [[ -f $path && -x $path ]]; then echo "$path"; fi
    done
  else
    for name in $(function_names); do
      echo "$built/$name"
    done
  fi
}

# Asks all functions for their manifests, with the variables they will have: which keys they need
# may depend on them. Writes $work/manifests.json.
read_manifests() {
  local path line built variables=() limit=()
  # macOS has none.
  if command -v timeout > /dev/null; then limit=(timeout 10); fi
  if [[ -n $folder ]]; then
    [[ -d $folder ]] || fail "--functions $folder: there is no such folder" 64
  else
    built=$(built_folder)
    [[ -n $built ]] || fail "no function is built: $0 build" 69
  fi
  while IFS= read -r line; do
    variables+=("$line")
  done < <(jq -r --arg names "$setting_names" '
    del(.[$names | splits("[ \n]+")]) | to_entries[] | select(.value != "" and (.key | test("KEY|SECRET|TOKEN|PASSWORD|^(PATH|HOME|(DY)?LD_.*)$") | not))
    | "\(.key)=\(.value)"' "$work/variables.json")
  mkdir "$work/manifests"
  while IFS= read -r path; do
    [[ -x $path ]] || fail "$path isn't built: $0 build" 69
    env -i PATH="$PATH" HOME="${HOME:-/}" ${variables[@]+"${variables[@]}"} \
      ${limit[@]+"${limit[@]}"} "$path" --describe \
      < /dev/null > "$work/manifest" 2> "$work/error" \
      || fail "$path --describe failed: $(describe_error)" 65
    jq -e 'select(type == "object" and .contract == 1 and (.name | type == "string"))' \
      "$work/manifest" > "$work/manifests/${path##*/}" 2> /dev/null \
      || fail "$path --describe: that is not a manifest of contract 1" 65
  done < <(executables)
  [[ -n $(ls "$work/manifests") ]] || fail "$folder has no executable file" 64
  jq -r -L "$deployment" -f "$deployment/manifest.jq" "$work"/manifests/* > "$work/problems"
  note_problems "$work/problems"
  refuse_problems 65
  jq -s . "$work"/manifests/* > "$work/manifests.json"
}

# Why a function doesn't describe itself: the error of its line, else what it says on stderr.
describe_error() {
  local reason
  reason=$(jq -r '.error.message // ""' "$work/manifest" 2> /dev/null) || true
  echo "${reason:-$(tail -n 3 "$work/error")}"
}

# Says which functions are meant: those that are named, or all.
choose_functions() {
  local name
  for name in ${functions[@]+"${functions[@]}"}; do
    jq -e --arg name "$name" 'any(.[]; .name == $name)' "$work/manifests.json" > /dev/null \
      || problem "no function is called $(printf %q "$name"); there are: $(
        jq -r 'map(.name) | join(", ")' "$work/manifests.json")"
  done
  refuse_problems 64
  if [[ ${#functions[@]} -gt 0 ]]; then
    printf '%s\n' "${functions[@]}" | jq -R . | jq -s . > "$work/chosen.json"
  else
    jq 'map(.name)' "$work/manifests.json" > "$work/chosen.json"
  fi
}

refuse_cycles() {
  jq -r -L "$deployment" -f "$deployment/cycles.jq" "$work/manifests.json" \
    | sed 's/^/a circle that nothing ends: /' > "$work/problems"
  note_problems "$work/problems"
  if [[ ${#problems[@]} -gt 0 ]]; then
    problem "give one of these triggers \"fields\", those that concern the function and that none of these functions writes"
  fi
  refuse_problems 65
}

# Writes $work/deployment.json: all that deployment.jq makes of manifests and settings.
make_deployment() {
  local name without=""
  for name in $(jq -r 'to_entries[] | select(.value == "") | .key' "$work/variables.json"); do
    [[ -n ${!name:-} ]] || without="$without $name"
  done
  jq -n --slurpfile variables "$work/variables.json" --slurpfile manifests "$work/manifests.json" \
    --slurpfile chosen "$work/chosen.json" --arg names "$setting_names" --arg without "$without" \
    --arg project "$project" --arg database "$database" --arg registry "$registry" \
    --arg tag "$tag" --arg budget "$budget" --arg appCheck "$app_check" \
    --arg anonymousCalls "$anonymous_calls" --arg pushRole "$push_role" \
    --arg file "${env_file:-deploy.env}" --arg number "$project_number" '
    def words: [splits("[ \n]+") | select(. != "")];
    {
      settings: {
        $project, $database, $registry, $tag, $budget, appCheck: ($appCheck == "enforce"),
        anonymousCalls: ($anonymousCalls == "allow"), $pushRole,
        $file, projectNumber: $number, withoutSecrets: ($without | words)
      },
      variables: ($variables[0] | del(.[$names | words[]])),
      manifests: $manifests[0],
      chosen: $chosen[0]
    }' | jq -L "$deployment" -f "$deployment/deployment.jq" > "$work/deployment.json"
  each '.problems[]' > "$work/problems"
  note_problems "$work/problems"
  refuse_problems 65
  make_rows
}

# function_rows: for each function a line that sets function, slug, image and so on; see rows.jq.
function_rows() {
  cat "$work/functions.rows"
}

# trigger_rows FUNCTION: the same of its triggers.
trigger_rows() {
  grep "^function='$1' " "$work/triggers.rows"
}

# Made before any step: what can't be made is an error then.
make_rows() {
  local kind
  for kind in functions triggers; do
    jq -r --arg kind "$kind" -f "$deployment/rows.jq" "$work/deployment.json" > "$work/$kind.rows"
  done
}

# each FILTER: the texts that a filter gives of the deployment, one a line.
each() {
  jq -r "$1" "$work/deployment.json"
}
