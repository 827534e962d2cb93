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
    [[ -z $event_service ]] \
      || service_step "$event_service" "$event_environment" --ingress=internal
    [[ -z $call_service ]] || service_step "$call_service" "$call_environment" --ingress=all
  done < <(function_rows)
}

# Whoever reaches a service of calls has to be let in, for it verifies tokens itself; one of events is
# for its own account. `run deploy` could say so, too, but goes on where that fails.
access_steps() {
  local row
  while IFS= read -r row; do
    eval "$row"
    [[ -z $event_service ]] || private_step
    [[ -z $call_service ]] || public_step
  done < <(function_rows)
}

private_step() {
  if grants "service-policy.$event_service" allUsers roles/run.invoker; then
    change revoke "anybody may call $event_service: run.invoker" \
      gcloud run services remove-iam-policy-binding "$event_service" --region="$region" \
      --member=allUsers --role=roles/run.invoker --project="$project" --quiet
  fi
}

public_step() {
  if there_is services 'any(.[]; .metadata.name == $name
      and .metadata.annotations["run.googleapis.com/invoker-iam-disabled"] == "true")' \
    --arg name "$call_service"; then
    same "clients may call $call_service: it asks IAM for nobody"
    return
  fi
  hint="Nobody can call $call_service yet. Where Google names an organization policy, that is one that \
keeps allUsers out: see \"When apply stops\" in Functions/DEPLOY.md."
  grant "service-policy.$call_service" allUsers roles/run.invoker "clients may call $call_service" \
    gcloud run services add-iam-policy-binding "$call_service" --region="$region"
  hint=""
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
  digest=$(pushed_digest)
  made=$(made_digest "$name")
  if [[ -n $digest ]]; then
    same "image $name:$tag, $digest"
    [[ -z $made || $made == "$digest" ]] || note "the one in $images is another; it needs another --tag"
    image=${image%:*}@$digest
    return
  fi
  if [[ -z $made ]]; then
    if [[ $mode == apply ]]; then
      fail "image $name:$tag is neither in the registry nor made here: $0 image, or another --tag, or $(
        with_docker)" 69
    fi
    note "$images hasn't $name of $tag: $0 image, or with Docker as Functions/Deployment/README.md says"
  elif [[ $mode == plan && $(made_architecture "$made") != amd64 ]]; then
    note "$(wrong_architecture "$made")"
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

# Nothing is begun with an image that Cloud Run can't start.
check_images() {
  local row made pushed
  [[ $registry == "$region-docker.pkg.dev/"* ]] || return 0
  while IFS= read -r row; do
    eval "$row"
    made=${image##*/}
    made=$(made_digest "${made%:*}")
    [[ -n $made && $(made_architecture "$made") != amd64 ]] || continue
    pushed=$(pushed_digest)
    [[ -n $pushed ]] || problem "$(wrong_architecture "$made"); $(with_docker)"
  done < <(function_rows)
  refuse_problems 69
}

# wrong_architecture DIGEST: says what is wrong with the image of the row that was read last.
wrong_architecture() {
  echo "image ${image##*/} in $images is for $(made_architecture "$1"), and Cloud Run runs amd64 alone"
}

# How the image of the row that was read last is made and pushed where `image` can't make it.
with_docker() {
  cat << END
with Docker
  gcloud auth configure-docker $region-docker.pkg.dev
  docker build --platform linux/amd64 -f Functions/Deployment/Dockerfile --build-arg FUNCTION=$function -t $image .
  docker push $image
and the same command again
END
}

# Prints the digest that the registry has under the tag, of the row that was read last.
pushed_digest() {
  ! has_repository || look_up images 'first(.[] | select(.package == $package
      and ([.tags | if type == "string" then split(",")[] else .[]? end]
        | any(gsub("^ +| +$"; "") == $tag))) | .version) // ""' \
    --arg package "${image%:*}" --arg tag "$tag"
}

# made_digest NAME: prints the digest of the image that has been made here; if the tag names a revision,
# of that one alone.
made_digest() {
  local digest revision='^[0-9a-f]{12}(-dirty-[0-9a-f]{8})?$'
  [[ -f $images/index.json ]] || return 0
  digest=$(jq -r --arg name "$1" 'first(.manifests[]
    | select(.annotations["org.opencontainers.image.ref.name"] == $name) | .digest) // ""' \
    "$images/index.json")
  [[ -n $digest ]] || return 0
  if [[ $tag =~ $revision ]]; then
    [[ $tag == "$(tag_of "$(made_with "$digest" \
      '.config.Labels["org.opencontainers.image.revision"] // ""')")" ]] || return 0
  fi
  echo "$digest"
}

made_architecture() {
  made_with "$1" '.architecture // "an unknown architecture"'
}

# made_with DIGEST FILTER: prints what a filter gives of the configuration of an image made here.
made_with() {
  local config
  config=$(jq -r .config.digest "$images/blobs/${1/://}")
  jq -r "$2" "$images/blobs/${config/://}"
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
    flags+=($'\036'"--set-env-vars=$(in_quotes "${environment%%"$project_number"*}")${project_number#?}$(
      in_quotes "${environment#*"$project_number"}")")
  else
    flags+=("--set-env-vars=$environment")
  fi
  configuration=$(printf '%s\n' "${flags[@]}" | cksum | tr ' ' -)
  flags+=("--labels=application=worldchat,function=$slug,configuration=$configuration")
  if ! has services "$service"; then
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
