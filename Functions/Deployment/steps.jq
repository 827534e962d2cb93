# The steps of a deployment, each as a line of shell that calls a function in steps.sh.
#
# The input of these filters is one object, which known() merges from the files of $known. It has
# settings, functions, and `cloud`: the project's state, as answers to the questions of
# questions.jq. Without access to Google, `cloud` is null, and the project counts as empty.

def known: reduce .[] as $part ({}; . * $part);

# The answer to a question.
def seen($question):
  .cloud | if . == null then null elif has($question) then .[$question]
    else error("\($question): this question was not asked") end;
def list($kind): seen($kind) | if . == null then [] else . end;
def named($kind; $name): [list($kind)[] | select(.email // .name | split("/")[-1] == $name)][0];
# The items of a list that is answered page by page.
def paged($kind):
  [.cloud | values | to_entries[] | select(.key | startswith($kind)) | .value[$kind][]?];
def is_there($kind; $name): named($kind; $name) != null;
def service($name): [list("services")[] | select(.metadata.name == $name)][0];
# The triggers that send events to a service in the deployment's region.
def triggers_of($service):
  .settings.region as $region
  | [list("triggers")[] | select(.destination.cloudRun | .service == $service and .region == $region)];
# The location and the name of a resource: projects/P/locations/LOCATION/triggers/NAME.
def place: .name | split("/") | {location: .[3], name: .[5]};

# Tells whether a policy grants a member a role under exactly this condition; an empty condition
# means none. The policies of resources that don't exist are not read.
def grants($policy; $member; $role; $condition):
  any(.cloud[$policy].bindings[]?;
    .role == $role and (.condition.expression // "") == $condition and any(.members[]; . == $member));

# Quotes a word for the shell. Text between two \u001e is shell code that finds a value at run time.
def quoted:
  if contains("\u001e") then
    split("\u001e") | [to_entries[]
      | if .key % 2 == 1 then .value else .value | gsub("(?<c>[\\\\\"`$])"; "\\\(.c)") end]
    | "\"\(add)\""
  elif test("\\A[A-Za-z0-9_./:=@,%+-]+\\z") then .
  else @sh end;

# Kinds of steps.
def say($text): {say: $text};
def note($text): {note: $text};
def same($title): {same: $title};
def stop($status; $text): {stop: $text, $status};
def shell: map(quoted) | join(" ");
def command($verb; $title; $words): {$verb, $title, command: ($words | shell)};
# A step that runs gcloud in the project.
def change($verb; $title; $words; $arguments):
  ($arguments + ["--project=\(.settings.project)", "--quiet"]) as $arguments
  | command($verb; $title; $arguments) | .command |= "gcloud \($words) \(.)";
# A step that creates a resource, if it doesn't exist. $purpose is printed in that case.
def create($kind; $name; $title; $purpose; $words; $arguments):
  if is_there($kind; $name) then same($title)
  else change("create"; $title + $purpose; "\($words) create"; $arguments) end;
# A step that grants a role to a member unless the policy grants it already.
def grant($policy; $member; $role; $title; $words; $arguments):
  "\($title): \($role | sub(".*roles/"; ""))" as $title
  | if grants($policy; $member; $role; "") then same($title)
    else change("grant"; $title; "\($words) add-iam-policy-binding";
      $arguments + ["--member=\($member)", "--role=\($role)"]) end;

# Pipes a command's output into a step's command.
def reading($input): .command |= "\($input) | \(.)";
# The command of a request to one of Google's APIs; $data are curl's words about the body. The
# access token is passed through stdin, because other users can see a process's arguments. Some APIs
# refuse a user's token unless a header names the project whose quota counts.
def request($method; $url; $data):
  ["curl", "--silent", "--show-error", "--fail-with-body", "--request", $method, "--header", "@-",
    "--header", "x-goog-user-project: \(.settings.project)", "--header", "content-type: application/json"]
  + $data + [$url]
  | "printf \u0027Authorization: Bearer %s\u0027 \"$(gcloud auth print-access-token)\" | \(shell)";

# Runs a command first, whose output replaces `found` in the step's command.
def finding($command): .command |= "found=$(\($command)) && \(.)";
def found: "\u001e${found:?not found yet, run the same command again}\u001e";

def line:
  if .command then @sh "change \(.verb) \(.title) \(.command) \(.hint // "")"
  elif .stop then @sh "stop \(.status) \(.stop)"
  else to_entries[0] | "\(.key) \(.value | @sh)" end;
