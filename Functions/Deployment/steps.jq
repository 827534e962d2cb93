# Steps of a deployment, each as a line that a shell takes; steps.sh has the functions that they call.
#
# The input of these filters is all that is known, which known() puts together: settings, functions and
# `cloud`, what there is in the project, by what questions.jq calls it. Where Google can't be asked that is
# null, and there is nothing.

def known: reduce .[] as $part ({}; . * $part);

# One of those that are asked for, or all of a kind.
def seen($question):
  .cloud | if . == null then null elif has($question) then .[$question]
    else error("\($question): that isn't asked") end;
def list($kind): seen($kind) | if . == null then [] else . end;
def named($kind; $name): [list($kind)[] | select(.email // .name | split("/")[-1] == $name)][0];
def is_there($kind; $name): named($kind; $name) != null;
def service($name): [list("services")[] | select(.metadata.name == $name)][0];

# Whether a policy gives somebody a role under just this condition, or, if that is empty, under none. Of
# what isn't there the policy isn't asked for.
def grants($policy; $member; $role; $condition):
  any(.cloud[$policy].bindings[]?;
    .role == $role and (.condition.expression // "") == $condition and any(.members[]; . == $member));

# A word as a shell takes it. What stands between two \u001e finds a value when the command is run.
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
def command($verb; $title; $words): {$verb, $title, command: ($words | map(quoted) | join(" "))};
# A command of gcloud's in the project.
def change($verb; $title; $words; $arguments):
  ($arguments + ["--project=\(.settings.project)", "--quiet"]) as $arguments
  | command($verb; $title; $arguments) | .command |= "gcloud \($words) \(.)";
# Something that is made if it isn't there; what it is for is said then.
def create($kind; $name; $title; $purpose; $words; $arguments):
  if is_there($kind; $name) then same($title)
  else change("create"; $title + $purpose; "\($words) create"; $arguments) end;
# A role for somebody, unless a policy gives it already.
def grant($policy; $member; $role; $title; $words; $arguments):
  "\($title): \($role | ltrimstr("roles/"))" as $title
  | if grants($policy; $member; $role; "") then same($title)
    else change("grant"; $title; "\($words) add-iam-policy-binding";
      $arguments + ["--member=\($member)", "--role=\($role)"]) end;

# What a step's command reads.
def reading($input): .command |= "\($input) | \(.)";
# What a command finds for a step's, which has `found` where it is needed.
def finding($command): .command |= "found=$(\($command)) && \(.)";
def found: "\u001e${found:?Google has not said yet}\u001e";

def line:
  if .command then @sh "change \(.verb) \(.title) \(.command) \(.hint // "")"
  elif .stop then @sh "stop \(.status) \(.stop)"
  else to_entries[0] | "\(.key) \(.value | @sh)" end;
