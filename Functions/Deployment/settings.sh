# What is deployed, and where: options, then the shell's environment, then deploy.env. Sourced by
# deploy.sh.
# shellcheck shell=bash

# Settings that deploy.env and the environment may give, too.
setting_names="GOOGLE_CLOUD_PROJECT GOOGLE_CLOUD_REGION FIRESTORE_DATABASE FIRESTORE_LOCATION
  APP_CHECK ANONYMOUS_CALLS BUDGET BILLING_ACCOUNT ALERT_EMAIL MIN_INSTANCES MAX_INSTANCES"
# They would send a function in the cloud to a machine that isn't there.
local_variables="FIRESTORE_EMULATOR_HOST FIREBASE_AUTH_EMULATOR_HOST GCE_METADATA_HOST
  GOOGLE_APPLICATION_CREDENTIALS"

problems=()

# problem TEXT: notes what is wrong; all of it is told at once by refuse_problems.
problem() {
  problems+=("$1")
}

# note_problems FILE: the same of each line.
note_problems() {
  local line
  while IFS= read -r line; do problem "$line"; done < "$1"
}

# refuse_problems STATUS: ends if something is wrong.
refuse_problems() {
  [[ ${#problems[@]} -gt 0 ]] || return 0
  local text
  for text in "${problems[@]}"; do
    echo "deploy.sh: $text" >&2
  done
  exit "$1"
}

# The tag of images unless another is given: of the revision that is built here.
image_tag() {
  local revision
  revision=$(revision)
  [[ $revision == unknown ]] || tag_of "$revision"
}

# tag_of REVISION: the commit cut short, and what is changed since.
tag_of() {
  printf %s "${1:0:12}${1:40}"
}

# read_options ARGUMENT…: sets the variables below, and `functions` to the names that are given.
read_options() {
  functions=()
  project="" region="" database="" location="" tag="" registry=""
  traffic=100 target=cloud-run folder="" env_file="" offline="" yes="" with_secrets=""
  app_check="" anonymous_calls="" budget="" billing_account="" alert_email="" min_instances="" max_instances=""
  while [[ $# -gt 0 ]]; do
    case "$1" in
      --*=*) set -- "${1%%=*}" "${1#*=}" "${@:2}" ;;
    esac
    case "$1" in
      --offline) offline=yes ;;
      --yes) yes=yes ;;
      --with-secrets) with_secrets=yes ;;
      --app-check) app_check=enforce ;;
      --anonymous-calls) anonymous_calls=allow ;;
      --project | --region | --database | --database-location | --tag | --registry | --traffic | \
        --target | --functions | --env-file | --budget | --billing-account | --alert-email | \
        --min-instances | --max-instances)
        [[ $# -gt 1 ]] || fail "$1 needs a value" 64
        read_option "$1" "$2"
        shift
        ;;
      -*) fail "there is no option $1" 64 ;;
      *) functions+=("$1") ;;
    esac
    shift
  done
}

read_option() {
  [[ -n $2 ]] || fail "$1 is empty" 64
  case "$1" in
    --project) project=$2 ;;
    --region) region=$2 ;;
    --database) database=$2 ;;
    --database-location) location=$2 ;;
    --tag) tag=$2 ;;
    --registry) registry=$2 ;;
    --traffic) traffic=$2 ;;
    --target) target=$2 ;;
    --functions) folder=$2 ;;
    --env-file) env_file=$2 ;;
    --budget) budget=$2 ;;
    --billing-account) billing_account=$2 ;;
    --alert-email) alert_email=$2 ;;
    --min-instances) min_instances=$2 ;;
    --max-instances) max_instances=$2 ;;
  esac
}

# Reads deploy.env into $work/variables.json: lines NAME=value, taken as they are.
read_env_file() {
  local file=${env_file:-deploy.env}
  if [[ ! -e $file || -d $file ]]; then
    [[ -z $env_file ]] || fail "$env_file: there is no such file" 64
    echo '{}' > "$work/variables.json"
    return
  fi
  [[ -r $file ]] || fail "$file can't be read" 64
  jq -R -n --arg file "$file" '
    reduce ([inputs] | to_entries[]) as {$key, $value} ({};
      ($key + 1) as $number | ($value | rtrimstr("\r")) as $text
      | if $text | test("^[ \t]*(#|$)") then .
        else
          ($text | capture("^(?<name>[A-Z][A-Z0-9_]*)=(?<value>.*)$")
            // error("\($file):\($number) is not NAME=value")) as {$name, $value}
          | if has($name) then error("\($file):\($number) sets \($name) again") else . end
          | ($value | if test("^\".*\"$|^\u0027.*\u0027$") and length > 1 then .[1:-1] else . end)
              as $value
          | if $value | test("[[:cntrl:]]")
            then error("\($file):\($number): \($name) has a control character") else . end
          | .[$name] = $value
        end)' "$file" > "$work/variables.json" 2> "$work/error" \
    || fail "$(sed 's/^jq: error ([^)]*): //' "$work/error")" 64
}

# default VARIABLE NAME DEFAULT: gives a variable that no option has set its value.
default() {
  [[ -z ${!1} ]] || return 0
  local in_file=in_file_$2
  local value=${!2:-${!in_file:-}}
  printf -v "$1" %s "${value:-$3}"
}

# check VARIABLE PATTERN NAME TEXT: notes a problem unless the variable is like the pattern.
check() {
  if [[ -z ${!1} ]]; then
    problem "$3 is missing: $4"
  elif ! [[ ${!1} =~ $2 ]]; then
    problem "$3 can't be $(printf %q "${!1}"): $4"
  fi
}

# Takes what options don't say from elsewhere, and checks all of it.
complete_settings() {
  read_env_file
  # Of settings in deploy.env: what `default` looks for.
  eval "$(jq -r --arg names "$setting_names" 'to_entries[] | select(.key | IN($names | splits("[ \n]+")))
    | "in_file_\(.key)=\(.value | @sh)"' "$work/variables.json")"
  default project GOOGLE_CLOUD_PROJECT ""
  default region GOOGLE_CLOUD_REGION ""
  default database FIRESTORE_DATABASE "(default)"
  default location FIRESTORE_LOCATION ""
  default app_check APP_CHECK off
  default anonymous_calls ANONYMOUS_CALLS refuse
  default budget BUDGET ""
  default billing_account BILLING_ACCOUNT ""
  default alert_email ALERT_EMAIL ""
  default min_instances MIN_INSTANCES 0
  default max_instances MAX_INSTANCES 20
  [[ -n $tag ]] || tag=$(image_tag)
  check project '^[a-z][a-z0-9-]{4,28}[a-z0-9]$' --project "the id of a Google Cloud project"
  if [[ $project == demo-* ]]; then
    problem "--project $project: projects of this name exist in the emulator alone"
  fi
  check database '^(\(default\)|[a-z][a-z0-9-]{2,61}[a-z0-9])$' --database "the id of a database"
  check tag '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$' --tag "the tag of the images, by default the commit"
  check app_check '^(enforce|off)$' APP_CHECK "enforce or off"
  check anonymous_calls '^(allow|refuse)$' ANONYMOUS_CALLS "allow or refuse"
  check_whole --min-instances "$min_instances" 0 1000
  check_whole --max-instances "$max_instances" 1 1000
  check_whole --traffic "$traffic" 0 100
  if [[ $min_instances =~ ^[0-9]+$ && $max_instances =~ ^[0-9]+$ ]] \
    && ((10#$min_instances > 10#$max_instances)); then
    problem "--min-instances $min_instances is more than --max-instances $max_instances"
  fi
  case "$target" in
    cloud-run)
      check region '^[a-z]+-[a-z]+[0-9]+$' --region "a region of Cloud Run, such as us-central1"
      ;;
    knative)
      check registry '^[a-z0-9][a-zA-Z0-9.:_/-]*$' --registry "where the images are, HOST/PATH"
      [[ $app_check != enforce ]] \
        || problem "--app-check needs the project's number, for which --target knative doesn't ask"
      ;;
    *) problem "--target can't be $(printf %q "$target"): cloud-run or knative" ;;
  esac
  [[ -z $location ]] || check location '^([a-z]+-[a-z]+[0-9]+|nam[0-9]+|eur[0-9]+)$' \
    --database-location "where the database is, such as eur3"
  [[ -z $registry ]] || check registry '^[a-z0-9][a-zA-Z0-9.:_/-]*$' --registry "HOST/PATH"
  if [[ -n $budget || -n $billing_account ]]; then
    check budget '^[0-9]+(\.[0-9]{1,2})?$' --budget "an amount a month, in the account's currency"
    check billing_account '^[0-9A-F]{6}-[0-9A-F]{6}-[0-9A-F]{6}$' --billing-account \
      "an id such as 012345-6789AB-CDEF01, of: gcloud billing accounts list"
  fi
  [[ -z $alert_email ]] \
    || check alert_email '^[A-Za-z0-9._+-]+@[A-Za-z0-9.-]+$' --alert-email "an address"
  jq -r --arg local "$local_variables" --arg file "${env_file:-deploy.env}" 'to_entries[]
    | if .key | IN($local | splits("[ \n]+")) then "\(.key) in \($file) is for a machine of one\u0027s own"
      elif .value | test("^https?://(([^/:?#]+\\.)?localhost|127\\.[0-9.]+|0\\.0\\.0\\.0|\\[::1\\])([:/?#]|$)"; "i")
      then "\(.key) in \($file) is an address of one\u0027s own machine"
      else empty end' "$work/variables.json" > "$work/problems"
  note_problems "$work/problems"
  refuse_problems 64
  : "${registry:=$region-docker.pkg.dev/$project/worldchat}"
}

check_whole() {
  if ! [[ $2 =~ ^[0-9]{1,4}$ ]] || ((10#$2 < $3 || 10#$2 > $4)); then
    problem "$1 can't be $(printf %q "$2"): a whole number from $3 to $4"
  fi
}

# is_given NAME: whether there is a value of a secret here.
is_given() {
  [[ -n ${!1:-} ]] \
    || jq -e --arg name "$1" '.[$name] // "" | . != ""' "$work/variables.json" > /dev/null
}

# secret_value NAME: prints it and nothing else. Values are never arguments of a process.
secret_value() {
  if [[ -n ${!1:-} ]]; then
    printf %s "${!1}"
  else
    jq -j --arg name "$1" '.[$name]' "$work/variables.json"
  fi
}
