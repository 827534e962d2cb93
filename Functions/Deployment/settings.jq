# The settings of a deployment, from options, then the shell's environment, then deploy.env.
#
# Arguments: the words after the command. $file and $text: the name and text of deploy.env, lines
# NAME=value without shell syntax. $revision: the revision of the sources, or `unknown`.
# Output: {"settings": {…}, "variables": {…}, "chosen": [name], "problems": [text]}, where variables
# are the functions'.

include "names";

# The settings by their internal names: an option with a value, or a flag that means a value; a
# variable of the shell or of deploy.env; a default; and the allowed values.
def table: {
  project: {option: "--project", variable: "GOOGLE_CLOUD_PROJECT", is: "the id of a Google Cloud project",
    pattern: "[a-z][a-z0-9-]{4,28}[a-z0-9]"},
  region: {option: "--region", variable: "GOOGLE_CLOUD_REGION", pattern: "[a-z]+-[a-z]+[0-9]+",
    is: "a region of Cloud Run, such as us-central1"},
  database: {option: "--database", variable: "FIRESTORE_DATABASE", default: "(default)",
    pattern: "\\(default\\)|[a-z][a-z0-9-]{2,61}[a-z0-9]", is: "the id of a database"},
  location: {option: "--database-location", variable: "FIRESTORE_LOCATION",
    pattern: "[a-z]+-[a-z]+[0-9]+|nam[0-9]+|eur[0-9]+", is: "a location of Firestore, such as eur3"},
  instance: {option: "--realtime-database", variable: "REALTIME_DATABASE",
    pattern: "[a-z0-9][a-z0-9-]{1,61}[a-z0-9]", is: "the name of a Realtime Database, or none"},
  instanceLocation: {option: "--realtime-database-location", variable: "REALTIME_DATABASE_LOCATION",
    pattern: "us-central1|europe-west1|asia-southeast1", is: "us-central1, europe-west1 or asia-southeast1"},
  bucket: {option: "--storage-bucket", variable: "STORAGE_BUCKET", pattern: "[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]",
    is: "the name of a bucket without gs://, or none"},
  bucketLocation: {option: "--storage-bucket-location", variable: "STORAGE_BUCKET_LOCATION",
    pattern: "[a-z]+-[a-z]+[0-9]+|us|eu|asia", is: "a location of Cloud Storage, such as europe-west1 or eu"},
  tag: {option: "--tag", default: ($revision | if . == "unknown" then "" else tag_of end),
    pattern: "[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}",
    is: "the tag of the images, by default the commit"},
  registry: {option: "--registry", pattern: "[a-z0-9][a-zA-Z0-9.:_/-]*", is: "a registry for images, HOST/PATH"},
  traffic: {option: "--traffic", default: "100", limits: [0, 100]},
  target: {option: "--target", default: "cloud-run", pattern: "cloud-run|knative", is: "cloud-run or knative"},
  folder: {option: "--functions"},
  file: {option: "--env-file", default: "deploy.env"},
  appCheck: {flag: "--app-check", means: "enforce", variable: "APP_CHECK", default: "off",
    pattern: "enforce|off", is: "enforce or off"},
  anonymousCalls: {flag: "--anonymous-calls", means: "allow", variable: "ANONYMOUS_CALLS",
    default: "refuse", pattern: "allow|refuse", is: "allow or refuse"},
  minInstances: {option: "--min-instances", variable: "MIN_INSTANCES", default: "0", limits: [0, 1000]},
  maxInstances: {option: "--max-instances", variable: "MAX_INSTANCES", default: "20", limits: [1, 1000]},
  budget: {option: "--budget", variable: "BUDGET", pattern: "[0-9]+(\\.[0-9]{1,2})?",
    is: "an amount a month, in the account's currency"},
  billingAccount: {option: "--billing-account", variable: "BILLING_ACCOUNT",
    pattern: "[0-9A-F]{6}-[0-9A-F]{6}-[0-9A-F]{6}",
    is: "an id such as 012345-6789AB-CDEF01 from gcloud billing accounts list"},
  alertEmail: {option: "--alert-email", variable: "ALERT_EMAIL",
    pattern: "[A-Za-z0-9._+-]+@[A-Za-z0-9.-]+", is: "an email address"},
  offline: {flag: "--offline", means: "yes"},
  yes: {flag: "--yes", means: "yes"},
  withSecrets: {flag: "--with-secrets", means: "yes"}
};

# Parses the words: {"given": {name: value}, "chosen": [function]}, or the first error as "problem".
def read_words:
  {words: [.[] | if test("\\A--[^=]*=") then split("=") | .[0], (.[1:] | join("=")) else . end],
   given: {}, chosen: []}
  | until(.problem or .words == [];
      .words[0] as $word | .words |= .[1:]
      | [table | to_entries[] | select(.value | .option == $word or .flag == $word)][0] as {$key, $value}
      | if $word | startswith("-") | not then .chosen += [$word]
        elif $key == null then .problem = "there is no option \($word)"
        elif $value.flag then .given[$key] = $value.means
        elif .words == [] then .problem = "\($word) needs a value"
        elif .words[0] == "" then .problem = "\($word) is empty"
        else .given[$key] = .words[0] | .words |= .[1:] end);

# The variables of deploy.env.
def read_variables:
  reduce ($text | split("\n") | to_entries[]) as {$key, $value} ({};
    "\($file):\($key + 1)" as $place | ($value | rtrimstr("\r")) as $line
    | if $line | test("^[ \t]*(#|$)") then .
      else
        ($line | capture("^(?<name>[A-Z][A-Z0-9_]*)=(?<value>.*)$")
          // error("\($place) is not NAME=value")) as {$name, $value}
        | if has($name) then error("\($place) sets \($name) again") else . end
        | ($value | if test("^\".*\"$|^\u0027.*\u0027$") and length > 1 then .[1:-1] else . end) as $value
        | if $value | test("[[:cntrl:]]")
          then error("\($place): \($name) has a control character") else . end
        | .[$name] = $value
      end);

# The error of a setting whose value is $value.
def wrong($value):
  (.value.option // .value.variable) as $name
  | if .value.limits then
      .value.limits as [$least, $most]
      | select($value | test("\\A[0-9]{1,4}\\z") and (tonumber | . >= $least and . <= $most) | not)
      | "\($name) can't be \($value | shown): it must be a whole number from \($least) to \($most)"
    elif $value == "" then empty
    elif .value.pattern as $pattern | $pattern == null or ($value | test("\\A(\($pattern))\\z")) then empty
    else "\($name) can't be \($value | shown): it must be \(.value.is)" end;

# The required settings.
def required:
  "project", "database", "tag", (if .target == "knative" then "registry" else "region" end),
  (if .budget + .billingAccount != "" then "budget", "billingAccount" else empty end);

def problems:
  . as $settings
  | (required | select($settings[.] == "") | table[.] | "\(.option) is missing: \(.is)"),
    (table | to_entries[] | wrong($settings[.key])),
    (select(.offline != "" and $command != "plan")
     | "--offline works only with plan: \($command) needs the project's state"),
    (select(.project | startswith("demo-"))
     | "--project \(.project): a demo- project exists only in the emulator"),
    (select([.minInstances, .maxInstances | tonumber? // 0] | .[0] > .[1])
     | "--min-instances \(.minInstances) is more than --max-instances \(.maxInstances)"),
    (select(.target == "knative" and .appCheck == "enforce")
     | "--app-check can't be used with --target knative: it needs the project's number from Google");

# Variables that would point a function in the cloud to the developer's machine.
def local_variables: "FIRESTORE_EMULATOR_HOST", "FIREBASE_AUTH_EMULATOR_HOST",
  "FIREBASE_DATABASE_EMULATOR_HOST", "STORAGE_EMULATOR_HOST", "FIREBASE_STORAGE_EMULATOR_HOST",
  "GCE_METADATA_HOST", "GOOGLE_APPLICATION_CREDENTIALS";

def local_problems:
  to_entries[]
  | if .key | IN(local_variables) then "\(.key) in \($file) is for local use only: remove it"
    elif .value
      | test("^https?://(([^/:?#]+\\.)?localhost|127\\.[0-9.]+|0\\.0\\.0\\.0|\\[::1\\])([:/?#]|$)"; "i")
    then "\(.key) in \($file) is a local address: functions in the cloud can't reach it"
    else empty end;

($ARGS.positional | read_words) as $words
| read_variables as $variables
| (table | with_entries(.key as $key | .value as {$variable, $default}
    | .value = ([$words.given[$key], ($variable | values | $ENV[.], $variables[.]), $default, ""]
        | map(select(. != null and . != "")) | first // ""))) as $settings
| {
    settings: ($settings + {$command}
      | if .registry == "" then .registry = "\(.region)-docker.pkg.dev/\(.project)/worldchat" else . end
      | if .instance == "" then .instance = "\(.project)-default-rtdb" else . end),
    variables: ($variables | del(.[table[].variable | values])),
    chosen: $words.chosen,
    problems: (if $words.problem then [$words.problem]
      else [($settings | problems), ($variables | local_problems)] end)
  }
