# Eventarc: what wakes functions. Sourced by deploy.sh.
# shellcheck shell=bash disable=SC2016

trigger_steps() {
  local row line
  while IFS= read -r row; do
    eval "$row"
    [[ -n $event_service ]] || continue
    grant "service-policy.$event_service" "serviceAccount:$event_account" roles/run.invoker \
      "events may call $event_service" \
      gcloud run services add-iam-policy-binding "$event_service" --region="$region"
    while IFS= read -r line; do
      eval "$line"
      trigger_step
      subscription_steps
    done < <(trigger_rows "$function")
    obsolete_triggers
  done < <(function_rows)
}

# The trigger whose row was read last, of such a function.
trigger_step() {
  is_new=""
  if there_is triggers 'any(.[]; (.name | endswith("/triggers/" + $name))
      and (.destination.cloudRun | .service == $service and .region == $region)
      and (.serviceAccount | endswith($account)))' \
    --arg name "$trigger" --arg service "$event_service" --arg region "$region" \
    --arg account "$event_account"; then
    same "$trigger_title"
  elif has triggers "$trigger"; then
    change update "$trigger_title" \
      gcloud eventarc triggers update "$trigger" --location="$location" \
      --destination-run-service="$event_service" --destination-run-region="$region" \
      --service-account="$event_account" --project="$project" --quiet
  else
    change create "$trigger_title" \
      gcloud eventarc triggers create "$trigger" --location="$location" \
      --destination-run-service="$event_service" --destination-run-region="$region" \
      --destination-run-path=/ --event-filters="type=$event_type" \
      --event-filters="database=$trigger_database" "$document_filter" \
      --event-data-content-type=application/protobuf --service-account="$event_account" \
      --project="$project" --quiet
    is_new=yes
    forget triggers
  fi
}

# What Eventarc makes for a trigger waits ten seconds for an answer, and drops events after a day.
# What a function can't do becomes a dead letter instead.
subscription_steps() {
  local path subscription policy deadline=$((timeout + 20))
  # Functions answer within Cloud Run's limit, ten seconds after their own.
  if ((deadline > 600)); then deadline=600; fi
  path=$(look_up triggers 'first(.[] | select(.name | endswith("/triggers/" + $name))
    | .transport.pubsub.subscription) // ""' --arg name "$trigger")
  subscription=${path##*/}
  if [[ -z $subscription ]]; then
    subscription=$'\036'"\$(gcloud eventarc triggers describe $trigger --location=$location --project=$project --format='value(transport.pubsub.subscription.basename())')"
  fi
  policy=$subscription
  if [[ -n $is_new ]]; then
    policy=$trigger
    absent subscription-policy "$policy"
  fi
  grant "subscription-policy.$policy" "$(pubsub_member)" \
    roles/pubsub.subscriber "Pub/Sub may give up events of $trigger" \
    gcloud pubsub subscriptions add-iam-policy-binding "$subscription"
  if [[ -z $is_new ]] && there_is subscriptions 'any(.[]; .name == $path
      and .ackDeadlineSeconds == $deadline
      and .deadLetterPolicy.maxDeliveryAttempts == $attempts
      and (.deadLetterPolicy.deadLetterTopic | tostring | endswith("/topics/" + $topic))
      and .retryPolicy.minimumBackoff == "10s" and .retryPolicy.maximumBackoff == "600s")' \
    --arg path "$path" --arg topic "$dead_letters" \
    --argjson deadline "$deadline" --argjson attempts "$attempts"; then
    same "delivery of $trigger"
  else
    change update "delivery of $trigger: $deadline s to answer, $attempts attempts, then a dead letter" \
      gcloud pubsub subscriptions update "$subscription" --ack-deadline="$deadline" \
      --dead-letter-topic="$dead_letters" --max-delivery-attempts="$attempts" \
      --min-retry-delay=10s --max-retry-delay=600s --project="$project" --quiet
  fi
}

# Triggers of a function's service that its manifest doesn't have any more.
obsolete_triggers() {
  local name
  for name in $(look_up triggers '.[] | select(.destination.cloudRun.service == $service)
      | .name | split("/")[-1] | select(IN($names | split(" ")[]) | not)' \
    --arg service "$event_service" --arg names "$triggers"); do
    change delete "trigger $name, which the function doesn't have any more" \
      gcloud eventarc triggers delete "$name" --location="$location" --project="$project" --quiet
  done
}
