# Eventarc: the triggers of functions. A trigger is in the location of its database or bucket.

include "firestore";
include "names";
include "project";
include "realtime";
include "steps";
include "storage";

def trigger_place($trigger):
  {location: (if $trigger.ref then instance_location elif $trigger.bucket then bucket_location else location end),
   name: $trigger.name};
# The deployed trigger, or null if it doesn't exist.
def deployed($trigger): trigger_place($trigger) as $place | [list("triggers")[] | select(place == $place)][0];

def trigger_step($function; $trigger):
  .settings.region as $region
  | deployed($trigger) as $there
  | ["--destination-run-service=\($function.event.name)", "--destination-run-region=\($region)"] as $destination
  | "--service-account=\($function.eventAccount)" as $account
  | [$trigger.name, "--location=\(trigger_place($trigger).location)"] as $name
  | ($trigger.fields // [] | if . == [] then "" else ", fields \(join(", "))" end) as $taken
  | ($trigger.eventType | split(".v1.")[1]) as $kind
  | ($trigger.document // $trigger.ref // "bucket \($trigger.bucket)") as $source
  | "trigger \($trigger.name): \($source) \($kind)\($taken)" as $title
  | if $there == null then
      change("create"; $title; "eventarc triggers create"; $name + $destination + [
        "--destination-run-path=/", "--event-filters=type=\($trigger.eventType)",
        if $trigger.ref then
          # Eventarc takes every ref as a pattern.
          "--event-filters=instance=\($trigger.instance)", "--event-filters-path-pattern=ref=\($trigger.ref)",
          "--event-data-content-type=application/json"
        elif $trigger.bucket then
          "--event-filters=bucket=\($trigger.bucket)", "--event-data-content-type=application/json"
        else
          "--event-filters=database=\($trigger.database)",
          "--event-filters\(if $trigger.isPattern then "-path-pattern" else "" end)=document=\(
            $trigger.document)",
          "--event-data-content-type=application/protobuf"
        end,
        $account])
    elif ($there.destination.cloudRun | .service == $function.event.name and .region == $region)
      and ($there.serviceAccount | endswith($function.eventAccount)) then same($title)
    else change("update"; $title; "eventarc triggers update"; $name + $destination + [$account]) end;

# The subscription that Eventarc creates for a trigger waits ten seconds for a response, and drops
# events after a day. These steps extend the wait, and make failed events dead letters.
def delivery_steps($function; $trigger):
  .settings.project as $project
  | trigger_place($trigger).location as $location
  | deployed($trigger).transport.pubsub.subscription as $path
  | ($path // found | split("/")[-1]) as $subscription
  # Functions respond within Cloud Run's timeout, ten seconds after their own. Pub/Sub's maximum is
  # ten minutes.
  | ([$function.timeoutSeconds + 20, 600] | min) as $deadline
  | $function.deliveryAttempts as $attempts
  | grant("subscription-policy/\($subscription)"; pubsub_member; "roles/pubsub.subscriber";
      "Pub/Sub may move events of \($trigger.name) to the dead letters"; "pubsub subscriptions"; [$subscription]),
    if any(list("subscriptions")[]; .name == $path and .ackDeadlineSeconds == $deadline
        and .deadLetterPolicy.maxDeliveryAttempts == $attempts
        and (.deadLetterPolicy.deadLetterTopic | tostring | endswith("/topics/\(dead_letters)"))
        and .retryPolicy.minimumBackoff == "10s" and .retryPolicy.maximumBackoff == "600s") then
      same("delivery of \($trigger.name)")
    else change("update"; "delivery of \($trigger.name): \($deadline) s to respond, \($attempts
        ) attempts, then a dead letter"; "pubsub subscriptions update";
      [$subscription, "--ack-deadline=\($deadline)", "--dead-letter-topic=\(dead_letters)",
        "--max-delivery-attempts=\($attempts)", "--min-retry-delay=10s", "--max-retry-delay=600s"]) end
  | if .command and $path == null then
      finding("gcloud eventarc triggers describe \($trigger.name) --location=\($location) --project=\(
        $project) --format=\u0027value(transport.pubsub.subscription.basename())\u0027")
    else . end;

# The triggers of a function's service that its manifest no longer has.
def obsolete_triggers($function):
  [trigger_place($function.triggers[])] as $places
  | (triggers_of($function.event.name)[] | place | select(IN($places[]) | not)) as {$location, $name}
  | change("delete"; "trigger \($name), which the function no longer has";
      "eventarc triggers delete"; [$name, "--location=\($location)"]);

def trigger_steps:
  .functions[] as $function
  | select($function.event)
  | grant("service-policy/\($function.event.name)"; "serviceAccount:\($function.eventAccount)";
      "roles/run.invoker"; "events may call \($function.event.name)"; "run services";
      [$function.event.name, "--region=\(.settings.region)"]),
    ($function.triggers[] as $trigger
      | trigger_step($function; $trigger), delivery_steps($function; $trigger)),
    obsolete_triggers($function);
