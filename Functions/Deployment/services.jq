# Cloud Run: each function's image and services, and the traffic of their newest revision.

include "names";
include "project";
include "realtime";
include "steps";

# Warns that anybody may call functions without a token, and that calls cost money.
def warning_of_anonymous_calls:
  ([.functions[].call | values | .name] | join(", ")) as $names
  | select(.settings.anonymousCalls == "allow" and $names != "")
  | say("# WARNING   anybody may call \($names), without a token. You pay for up to \(
      .settings.maxInstances) instances each, and for providers: without a limit unless config/functions"
      + " sets dailyCostMicros");

# Tells whether deploy.sh can read the registry, which it can if the registry is in the project's
# region.
def is_known_registry: .settings | . as {$region} | .registry | startswith("\($region)-docker.pkg.dev/");

# A function's image in dist/images. If the tag names a revision, the image must be of that
# revision.
def made($function):
  .settings.tag as $tag
  | [.made[$function.slug] | values
      | select($tag == (.revision // "" | tag_of)
          or ($tag | test("\\A[0-9a-f]{12}(-dirty-[0-9a-f]{8})?\\z") | not))][0];

# The digest of the tag's image in the registry.
def pushed($function):
  .settings.tag as $tag
  | [select(has_repository) | .cloud.images[]? | select(.package == $function.package
      and ([.tags | if type == "string" then split(",")[] else .[]? end] | any(gsub("^ +| +$"; "") == $tag)))
    | .version][0];

# A function's image, by its digest if known, because a tag may move to another image. With a tag
# that is not in the registry, the revision can't start.
def image($function):
  ([pushed($function), made($function).digest | values][0]) as $digest
  | if is_known_registry and $digest then "\($function.package)@\($digest)" else $function.image end;

# The commands that build and push an image with Docker, where `image` can't make it.
def with_docker($function):
  "build it with Docker,\n  gcloud auth configure-docker \(.settings.region)-docker.pkg.dev\n"
  + "  docker build --platform linux/amd64 -f Functions/Deployment/Dockerfile --build-arg FUNCTION=\(
    $function.name) -t \($function.image) .\n  docker push \($function.image)\nand run the same command again";

# The error of an image that has to be pushed but can't run on Cloud Run.
def wrong_architecture($function):
  made($function) as $made
  | select(is_known_registry and $made and $made.architecture != "amd64" and pushed($function) == null)
  | "image \($function.slug):\(.settings.tag) in dist/images is for \($made.architecture), but Cloud Run"
    + " runs only amd64";

# Stops before the first step if an image can't run on Cloud Run.
def refused_images:
  [.functions[] as $function | "\(wrong_architecture($function)); \(with_docker($function))"]
  | select(. != []) | stop(69; join("\n"));

# Pushes an image unless it is in the registry.
def image_steps($function):
  "\($function.slug):\(.settings.tag)" as $name
  | pushed($function) as $pushed
  | made($function) as $made
  | if is_known_registry | not then
      note("\($function.image) is deployed by its tag: deploy.sh can't see if the tag moves to another image")
    elif $pushed then
      same("image \($name), \($pushed)"),
      (select($made and $made.digest != $pushed)
        | note("the image in dist/images is different: to deploy it, give it another --tag"))
    else
      (if $made then empty
        elif .settings.command == "plan" then note("image \($name) is not in dist/images: run ./deploy.sh image,"
          + " or build it with Docker (Functions/Deployment/README.md)")
        else stop(69; "image \($name) is neither in the registry nor made here: run ./deploy.sh image, or give"
          + " another --tag, or \(with_docker($function))") end),
      (wrong_architecture($function) | note(.)),
      # Logs in once, before the first push.
      (select([.functions[] as $each | select(pushed($each) == null) | $each][0] == $function)
        | command("log in"; "to the registry"; ["skopeo", "login", "--username", "oauth2accesstoken",
            "--password-stdin", "\(.settings.region)-docker.pkg.dev"])
        | reading("gcloud auth print-access-token")),
      command("push"; "image \($name)"; ["skopeo", "copy", "--preserve-digests",
        "oci:dist/images:\($function.slug)", "docker://\($function.image)"])
    end;

# Joins the values of a flag with a separator that none of them contains.
def listed:
  join("") as $all
  | (first((",", ";", "|", "~", "@", "#", "%%", "::::")
      | select(. as $separator | $all | contains($separator) | not))
    // error("every possible separator is in these values: \($all[:40])…")) as $separator
  | if $separator == "," then join(",") else "^\($separator)^" + join($separator) end;

# The flags of a service; the same configuration always gives the same flags.
def flags($function; $service):
  .settings as {$region, $minInstances, $maxInstances}
  | instance_url as $address
  | [
      "--image=\(image($function))", "--region=\($region)", "--execution-environment=gen2", "--cpu=1",
      "--cpu-boost", "--memory=\($function.memoryMiB)Mi", "--concurrency=\($function.concurrency)",
      # The function's own timeout comes first, and the function reports it.
      "--timeout=\($function.timeoutSeconds + 10)s",
      "--min-instances=\($minInstances)", "--max-instances=\($maxInstances)",
      "--service-account=\($function.account)",
      "--ingress=\(if $service.isPublic then "all" else "internal" end)",
      if $function.secrets == [] then "--clear-secrets"
        else "--set-secrets=\($function.secrets | map("\(.)=\(.):latest") | join(","))" end,
      "--set-env-vars=\([$service.environment | to_entries[] | "\(.key)=\(.value // $address)"] | listed)"
    ]
  | . + ["--labels=application=worldchat,function=\($function.slug),configuration=\(join("\n") | hash)"];

# Sets the traffic of the newest revision, which has $share now.
def traffic_step($name; $share):
  .settings as {$region, $traffic}
  | if $share == ($traffic | tonumber) then same("\($name): the newest revision gets \($traffic) %")
    elif $traffic == "100" then change("update"; "\($name): the newest revision gets all traffic";
      "run services update-traffic"; [$name, "--to-latest", "--region=\($region)"])
    else change("update"; "\($name): the newest revision gets \($traffic) % of the traffic";
      "run services update-traffic"; [$name, "--to-revisions=LATEST=\($traffic)", "--region=\($region)"])
    end;

def service_step($function; $service):
  $service.name as $name
  | service($name) as $there
  | flags($function; $service) as $flags
  | (.settings.traffic == "100") as $is_for_all
  | ([$there.spec.traffic[]? | select(.latestRevision) | .percent // 0] | add // 0) as $share
  | if $there == null then change("create"; "service \($name)"; "run deploy"; [$name] + $flags)
    elif ("configuration=" + ($there.metadata.labels.configuration // "") | inside($flags[-1]))
      and $there.status.latestReadyRevisionName == $there.status.latestCreatedRevisionName then
      same("service \($name)"),
      # If the newest revision has 100 %, no other revision is known that could get the rest.
      (select($share != 100) | traffic_step($name; $share))
    else
      change("update"; "service \($name): a new revision"; "run deploy";
        [$name] + $flags + if $is_for_all then [] else ["--no-traffic"] end),
      traffic_step($name; if $is_for_all and $share == 100 then 100 else 0 end)
    end;

def service_steps:
  .functions[] as $function
  | image_steps($function), service_step($function; $function.event, $function.call | values);

# A service for calls accepts everybody, because it verifies tokens itself. A service for events
# accepts only its events' account. `run deploy` could set this, too, but continues if setting it
# fails.
def access_steps:
  .settings.region as $region
  | .functions[] as {$event, $call}
  | (select($event and grants("service-policy/\($event.name)"; "allUsers"; "roles/run.invoker"; ""))
      | change("revoke"; "anybody may call \($event.name): run.invoker";
          "run services remove-iam-policy-binding"; [$event.name, "--region=\($region)",
            "--member=allUsers", "--role=roles/run.invoker"])),
    (select($call) | $call.name as $name
      | if service($name).metadata.annotations["run.googleapis.com/invoker-iam-disabled"] == "true" then
          same("clients may call \($name): IAM's check is off")
        else grant("service-policy/\($name)"; "allUsers"; "roles/run.invoker";
            "clients may call \($name)"; "run services"; [$name, "--region=\($region)"])
          | .hint = "Nobody can call \($name) yet. If Google names an organization policy, this policy "
              + "forbids allUsers: see \"When apply stops\" in Functions/DEPLOY.md." end);
