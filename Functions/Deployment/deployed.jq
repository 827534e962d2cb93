# What is in the cloud, whatever is in this folder.

include "names";
include "steps";

# Those functions that are named, else all that are deployed or could be, in kebab case.
def chosen_slugs:
  if .chosen != [] then .chosen | map(kebab)
  else [list("services")[].metadata.labels | select(.application == "worldchat") | .function // empty]
    + (.products | map(kebab)) | unique end;

# The services of the chosen functions.
def chosen_services:
  chosen_slugs as $slugs
  | [list("services")[].metadata
      | select(.labels.application == "worldchat" and (.labels.function | IN($slugs[]))) | .name];

# The secrets that a service's newest revision asks for.
def secrets_of($service):
  [service($service).spec.template.spec.containers[]?.env[]?.valueFrom.secretKeyRef
    | select(.key == "latest") | .name];
