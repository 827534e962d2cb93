# Cloud Run: each function's image and services, and how much their newest revision gets.
# Sourced by deploy.sh.
# shellcheck shell=bash disable=SC2016

# Says who may call whom without a token, and that it costs.
warn_of_anonymous_calls() {
  local names
  [[ $anonymous_calls == allow ]] || return 0
  names=$(each '[.functions[].call | select(. != null) | .name] | join(", ")')
  [[ -n $names ]] || return 0
  echo "# WARNING   anybody may call $names, without a token. You pay for it: up to" \
    "$max_instances instances each, and what providers take, without end unless config/functions" \
    "sets dailyCostMicros"
}

service_steps() {
  local row
  while IFS= read -r row; do
    eval "$row"
    image_step
    [[ -z $event_service ]] || service_step "$event_service" "$event_environment" \
      --ingress=internal --no-allow-unauthenticated
    [[ -z $call_service ]] || service_step "$call_service" "$call_environment" \
      --ingress=all --allow-unauthenticated
  done < <(function_rows)
}

images=dist/images
is_logged_in=""

# Brings the image of the function whose row was read last into the registry, and makes `image` name it
# by its digest: a tag may become another image's. A tag that isn't in the registry is a revision that
# can't start. Of another registry nothing is known.
image_step() {
  local name=${image##*/} digest="" made
  name=${name%:*}
  if [[ $registry != "$region-docker.pkg.dev/"* ]]; then
    note "$image is taken by its tag: that this becomes another image's isn't seen"
    return
  fi
  if has_repository; then
    digest=$(look_up images 'first(.[] | select(.package == $package
        and ([.tags | if type == "string" then split(",")[] else .[]? end]
          | any(gsub("^ +| +$"; "") == $tag))) | .version) // ""' \
      --arg package "${image%:*}" --arg tag "$tag")
  fi
  made=$(made_digest "$name")
  if [[ -n $digest ]]; then
    same "image $name:$tag, $digest"
    [[ -z $made || $made == "$digest" ]] || note "the one in $images is another; it needs another --tag"
    image=${image%:*}@$digest
    return
  fi
  if [[ -z $made ]]; then
    if [[ $mode == apply ]]; then
      fail "image $name:$tag is neither in the registry nor made here: $0 image, or another --tag" 69
    fi
    note "$images hasn't $name of $tag: $0 image"
  fi
  if [[ -z $is_logged_in ]]; then
    input=password
    change "log in" "to the registry" \
      skopeo login --username oauth2accesstoken --password-stdin "$region-docker.pkg.dev"
    is_logged_in=yes
  fi
  change push "image $name:$tag" \
    skopeo copy --preserve-digests "oci:$images:$name" "docker://$image"
  [[ -z $made ]] || image=${image%:*}@$made
}

# made_digest NAME: prints the digest of the image that has been made here; if the tag names a revision,
# of that one alone.
made_digest() {
  local blobs="$images/blobs" digest config revision='^[0-9a-f]{12}(-dirty-[0-9a-f]{8})?$'
  [[ -f $images/index.json ]] || return 0
  digest=$(jq -r --arg name "$1" 'first(.manifests[]
    | select(.annotations["org.opencontainers.image.ref.name"] == $name) | .digest) // ""' \
    "$images/index.json")
  [[ -n $digest ]] || return 0
  if [[ $tag =~ $revision ]]; then
    config=$(jq -r .config.digest "$blobs/${digest/://}")
    [[ $tag == "$(tag_of "$(jq -r '.config.Labels["org.opencontainers.image.revision"] // ""' \
      "$blobs/${config/://}")")" ]] || return 0
  fi
  echo "$digest"
}

# service_step NAME ENVIRONMENT FLAG…: of the function whose row was read last.
service_step() {
  local service=$1 environment=$2 flags configuration share name list=""
  shift 2
  for name in $secrets; do list="$list${list:+,}$name=$name:latest"; done
  flags=(
    --image="$image" --region="$region" --execution-environment=gen2 --cpu=1 --cpu-boost
    --memory="${memory}Mi" --concurrency="$concurrency"
    # The function gives up first, and says so.
    --timeout="$((timeout + 10))s"
    --min-instances="$min_instances" --max-instances="$max_instances"
    --service-account="$account" "$@"
  )
  if [[ -n $list ]]; then flags+=("--set-secrets=$list"); else flags+=(--clear-secrets); fi
  if [[ $environment == *$'\036'* ]]; then
    flags+=($'\036'"--set-env-vars=${environment//$'\036'/}")
  else
    flags+=("--set-env-vars=$environment")
  fi
  configuration=$(printf '%s\n' "${flags[@]}" | cksum | tr ' ' -)
  flags+=("--labels=application=worldchat,function=$slug,configuration=$configuration")
  if ! there_is services 'any(.[]; .metadata.name == $name)' --arg name "$service"; then
    absent service-policy "$service"
    change create "service $service" \
      gcloud run deploy "$service" "${flags[@]}" --project="$project" --quiet
    return
  fi
  share=$(newest_share "$service")
  if there_is services 'any(.[]; .metadata.name == $name
      and .metadata.labels.configuration == $configuration
      and .status.latestReadyRevisionName == .status.latestCreatedRevisionName)' \
    --arg name "$service" --arg configuration "$configuration"; then
    same "service $service"
    # There is no other that could get the rest.
    [[ $share != 100 ]] || return 0
  else
    if [[ $traffic != 100 ]]; then flags+=(--no-traffic); fi
    change update "service $service: a new revision" \
      gcloud run deploy "$service" "${flags[@]}" --project="$project" --quiet
    forget services
    if [[ $mode == apply || ($share == 100 && $traffic == 100) ]]; then
      share=$(newest_share "$service")
    else
      share=0
    fi
  fi
  if [[ $share == "$traffic" ]]; then
    same "$service: the newest revision gets $traffic %"
  elif [[ $traffic == 100 ]]; then
    change update "$service: the newest revision gets all" \
      gcloud run services update-traffic "$service" --to-latest --region="$region" \
      --project="$project" --quiet
  else
    change update "$service: the newest revision gets $traffic %, the rest stays" \
      gcloud run services update-traffic "$service" --to-revisions="LATEST=$traffic" \
      --region="$region" --project="$project" --quiet
  fi
}

# How many percent the newest revision gets, whichever that is at the time.
newest_share() {
  look_up services 'first(.[] | select(.metadata.name == $name)
    | [.spec.traffic[]? | select(.latestRevision) | .percent // 0] | add // 0)' --arg name "$1"
}
