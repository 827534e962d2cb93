# The deployed functions. They may be others than the functions in this folder.

include "names";
include "steps";

# The functions that are named on the command line, or else all that are deployed or in this folder,
# in kebab case.
def chosen_slugs:
  if .chosen != [] then .chosen | map(kebab)
  else [list("services")[].metadata.labels | select(.application == "worldchat") | .function // empty]
    + (.products | map(kebab)) | unique end;

# The services of the chosen functions.
def chosen_services:
  chosen_slugs as $slugs
  | [list("services")[].metadata
      | select(.labels.application == "worldchat" and (.labels.function | IN($slugs[]))) | .name];

# The secrets that a service's newest revision uses.
def secrets_of($service):
  [service($service).spec.template.spec.containers[]?.env[]?.valueFrom.secretKeyRef
    | select(.key == "latest") | .name];
