# Cloud Run: each function's image and services, and how much their newest revision gets.

include "names";
include "project";
include "steps";

# Says who may call whom without a token, and that it costs.
def warning_of_anonymous_calls:
  ([.functions[].call | values | .name] | join(", ")) as $names
  | select(.settings.anonymousCalls == "allow" and $names != "")
  | say("# WARNING   anybody may call \($names), without a token. You pay for it: up to \(
      .settings.maxInstances) instances each, and what providers take, without end unless config/functions"
      + " sets dailyCostMicros");

# Of another registry nothing is known.
def is_known_registry: .settings | . as {$region} | .registry | startswith("\($region)-docker.pkg.dev/");

# The image of a function that was made here: if the tag names a revision, of that one alone.
def made($function):
  .settings.tag as $tag
  | [.made[$function.slug] | values
      | select($tag == (.revision // "" | tag_of)
          or ($tag | test("\\A[0-9a-f]{12}(-dirty-[0-9a-f]{8})?\\z") | not))][0];

# The digest that the registry has under the tag.
def pushed($function):
  .settings.tag as $tag
  | [select(has_repository) | .cloud.images[]? | select(.package == $function.package
      and ([.tags | if type == "string" then split(",")[] else .[]? end] | any(gsub("^ +| +$"; "") == $tag)))
    | .version][0];

# By its digest: a tag may become another image's. A tag that isn't in the registry is a revision that can't
# start.
def image($function):
  ([pushed($function), made($function).digest | values][0]) as $digest
  | if is_known_registry and $digest then "\($function.package)@\($digest)" else $function.image end;

# How an image is made and pushed where `image` can't make it.
def with_docker($function):
  "with Docker\n  gcloud auth configure-docker \(.settings.region)-docker.pkg.dev\n"
  + "  docker build --platform linux/amd64 -f Functions/Deployment/Dockerfile --build-arg FUNCTION=\(
    $function.name) -t \($function.image) .\n  docker push \($function.image)\nand the same command again";

# What is wrong with an image that would have to be pushed and that Cloud Run can't start.
def wrong_architecture($function):
  made($function) as $made
  | select(is_known_registry and $made and $made.architecture != "amd64" and pushed($function) == null)
  | "image \($function.slug):\(.settings.tag) in dist/images is for \($made.architecture), and Cloud Run"
    + " runs amd64 alone";

# Nothing is begun with one.
def refused_images:
  [.functions[] as $function | "\(wrong_architecture($function)); \(with_docker($function))"]
  | select(. != []) | stop(69; join("\n"));

# Brings an image into the registry, unless it is there.
def image_steps($function):
  "\($function.slug):\(.settings.tag)" as $name
  | pushed($function) as $pushed
  | made($function) as $made
  | if is_known_registry | not then
      note("\($function.image) is taken by its tag: that this becomes another image's isn't seen")
    elif $pushed then
      same("image \($name), \($pushed)"),
      (select($made and $made.digest != $pushed)
        | note("the one in dist/images is another; it needs another --tag"))
    else
      (if $made then empty
        elif .settings.command == "plan" then note("dist/images hasn't \($function.slug) of \(
          .settings.tag): ./deploy.sh image, or with Docker as Functions/Deployment/README.md says")
        else stop(69; "image \($name) is neither in the registry nor made here: ./deploy.sh image, or another"
          + " --tag, or \(with_docker($function))") end),
      (wrong_architecture($function) | note(.)),
      # Once, before the first.
      (select([.functions[] as $each | select(pushed($each) == null) | $each][0] == $function)
        | command("log in"; "to the registry"; ["skopeo", "login", "--username", "oauth2accesstoken",
            "--password-stdin", "\(.settings.region)-docker.pkg.dev"])
        | reading("gcloud auth print-access-token")),
      command("push"; "image \($name)"; ["skopeo", "copy", "--preserve-digests",
        "oci:dist/images:\($function.slug)", "docker://\($function.image)"])
    end;

# Items of a flag that takes several, apart by what is in none of them.
def listed:
  join("") as $all
  | (first((",", ";", "|", "~", "@", "#", "%%", "::::")
      | select(. as $separator | $all | contains($separator) | not))
    // error("these values can't be told apart: \($all[:40])…")) as $separator
  | if $separator == "," then join(",") else "^\($separator)^" + join($separator) end;

# How a service is run, the same for the same configuration.
def flags($function; $service):
  .settings as {$region, $minInstances, $maxInstances}
  | [
      "--image=\(image($function))", "--region=\($region)", "--execution-environment=gen2", "--cpu=1",
      "--cpu-boost", "--memory=\($function.memoryMiB)Mi", "--concurrency=\($function.concurrency)",
      # The function gives up first, and says so.
      "--timeout=\($function.timeoutSeconds + 10)s",
      "--min-instances=\($minInstances)", "--max-instances=\($maxInstances)",
      "--service-account=\($function.account)",
      "--ingress=\(if $service.isPublic then "all" else "internal" end)",
      if $function.secrets == [] then "--clear-secrets"
        else "--set-secrets=\($function.secrets | map("\(.)=\(.):latest") | join(","))" end,
      "--set-env-vars=\([$service.environment | to_entries[] | "\(.key)=\(.value)"] | listed)"
    ]
  | . + ["--labels=application=worldchat,function=\($function.slug),configuration=\(join("\n") | hash)"];

# The newest revision, which gets a share of the traffic, gets what is asked for.
def traffic_step($name; $share):
  .settings as {$region, $traffic}
  | ["\($name)", "--region=\($region)"] as $arguments
  | if $share == ($traffic | tonumber) then same("\($name): the newest revision gets \($traffic) %")
    elif $traffic == "100" then change("update"; "\($name): the newest revision gets all";
      "run services update-traffic"; [$name, "--to-latest", "--region=\($region)"])
    else change("update"; "\($name): the newest revision gets \($traffic) %, the rest stays";
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
      # There is no other that could get the rest.
      (select($share != 100) | traffic_step($name; $share))
    else
      change("update"; "service \($name): a new revision"; "run deploy";
        [$name] + $flags + if $is_for_all then [] else ["--no-traffic"] end),
      traffic_step($name; if $is_for_all and $share == 100 then 100 else 0 end)
    end;

def service_steps:
  .functions[] as $function
  | image_steps($function), service_step($function; $function.event, $function.call | values);

# Whoever reaches a service of calls has to be let in, for it verifies tokens itself; one of events is
# for its own account. `run deploy` could say so, too, but goes on where that fails.
def access_steps:
  .settings.region as $region
  | .functions[] as {$event, $call}
  | (select($event and grants("service-policy/\($event.name)"; "allUsers"; "roles/run.invoker"; ""))
      | change("revoke"; "anybody may call \($event.name): run.invoker";
          "run services remove-iam-policy-binding"; [$event.name, "--region=\($region)",
            "--member=allUsers", "--role=roles/run.invoker"])),
    (select($call) | $call.name as $name
      | if service($name).metadata.annotations["run.googleapis.com/invoker-iam-disabled"] == "true" then
          same("clients may call \($name): it asks IAM for nobody")
        else grant("service-policy/\($name)"; "allUsers"; "roles/run.invoker";
            "clients may call \($name)"; "run services"; [$name, "--region=\($region)"])
          | .hint = "Nobody can call \($name) yet. Where Google names an organization policy, that is one "
              + "that keeps allUsers out: see \"When apply stops\" in Functions/DEPLOY.md." end);
