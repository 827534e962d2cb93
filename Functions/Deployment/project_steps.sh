# What all functions share: APIs, images' place, accounts, secrets, dead letters, alerts. Sourced by
# deploy.sh.
# shellcheck shell=bash disable=SC2016

# Events that were given up; also the name of the subscription that keeps them.
dead_letters=worldchat-dead-letters

api_steps() {
  local api missing=()
  for api in $(each '.apis[]'); do
    has apis "$api" || missing+=("$api")
  done
  if [[ ${#missing[@]} -eq 0 ]]; then
    same "APIs"
  else
    change enable "APIs" \
      gcloud services enable "${missing[@]}" --project="$project" --quiet
    [[ $mode == plan ]] || forget apis
  fi
}

repository_step() {
  if [[ $registry != "$region-docker.pkg.dev/$project/worldchat" ]]; then
    same "images come from $registry"
  elif has_repository; then
    same "repository worldchat of images"
  else
    change create "repository worldchat of images" \
      gcloud artifacts repositories create worldchat --repository-format=docker \
      --location="$region" --project="$project" --quiet
  fi
}

# Whether the registry's repository is there.
has_repository() {
  has repositories "${registry##*/}"
}

# account_step EMAIL TITLE
account_step() {
  if has accounts "$1"; then
    same "account ${1%%@*}"
  else
    change create "account ${1%%@*}, $2" \
      gcloud iam service-accounts create "${1%%@*}" --display-name="$2" --project="$project" --quiet
  fi
}

# The one permission that pushes need: Firebase's own role can subscribe devices to topics, too.
push_role=worldchatPushSender
push_permission=cloudmessaging.messages.create

push_role_step() {
  local title="role $push_role: $push_permission"
  [[ -n $(each ".functions[].roles[] | select(endswith(\"/roles/$push_role\"))") ]] || return 0
  if ! has roles "$push_role"; then
    change create "$title" \
      gcloud iam roles create "$push_role" --title="WorldChat: sends pushes" --stage=GA \
      --permissions="$push_permission" --project="$project" --quiet
    return
  fi
  if there_is "role.$push_role" '.includedPermissions == [$permission]' \
    --arg permission "$push_permission"; then
    same "$title"
  else
    change update "$title, and no more" \
      gcloud iam roles update "$push_role" --permissions="$push_permission" \
      --project="$project" --quiet
  fi
}

# One account that each function is, with what it needs, and one that its events come as.
account_steps() {
  local row role
  while IFS= read -r row; do
    eval "$row"
    account_step "$account" "$function runs as it"
    [[ -z $triggers ]] || account_step "$event_account" "events of $function come as it"
  done < <(function_rows)
  push_role_step
  while IFS= read -r row; do
    eval "$row"
    project_role "$account" "$database_role" "$function may" "$(database_expression)"
    for role in $roles; do
      project_role "$account" "$role" "$function may"
    done
    [[ -z $triggers ]] \
      || project_role "$event_account" roles/eventarc.eventReceiver "events of $function may"
  done < <(function_rows)
}

# Conditions that are ours have this title.
condition_title=worldchat

# Of an expression, of which an empty one is none, what gcloud takes.
condition() {
  if [[ -n $1 ]]; then printf %s "expression=$1,title=$condition_title"; else printf None; fi
}

# project_role ACCOUNT ROLE TITLE [EXPRESSION]: a role in the project, as far as the condition is true.
project_role() {
  local title="$3: ${2##*/}${4:+ where $4}"
  if grants policy "serviceAccount:$1" "$2" "${4:-}"; then
    same "$title"
  else
    change grant "$title" \
      gcloud projects add-iam-policy-binding "$project" --member="serviceAccount:$1" --role="$2" \
      --condition="$(condition "${4:-}")" --project="$project" --quiet
  fi
}

# Roles that deployments gave before: for all databases, for another one, or for more than is needed.
# What somebody else gave to a function stays.
obsolete_roles() {
  local row role expression
  while IFS= read -r row; do
    eval "$row"
    while IFS=$'\t' read -r role expression; do
      change revoke "$function may no longer: ${role##*/}${expression:+ where $expression}" \
        gcloud projects remove-iam-policy-binding "$project" --member="serviceAccount:$account" \
        --role="$role" --condition="$(condition "$expression")" --project="$project" --quiet
    done < <(look_up policy '.bindings[]? | select(any(.members[]; . == $member))
      | select(.condition == null or .condition.title == $title)
      | [.role, .condition.expression // ""]
      | select(.[0] | IN("roles/datastore.user", "roles/datastore.viewer", "roles/cloudtranslate.user",
          "roles/firebasecloudmessaging.admin", $push))
      | select(IN([$role, $expression], ($roles | split(" ")[] | [., ""])) | not) | @tsv' \
      --arg member "serviceAccount:$account" --arg title "$condition_title" \
      --arg push "projects/$project/roles/$push_role" --arg roles "$roles" \
      --arg role "$database_role" --arg expression "$(database_expression)")
  done < <(function_rows)
}

has_secret() {
  has secrets "$1"
}

# Making a secret and giving it its value are two, of which the second may fail. Functions ask for its
# newest version, whatever the others are.
has_value() {
  has_secret "$1" && there_is "values.$1" '.[0].state == "ENABLED"'
}

# why_no_value NAME: after has_value has said no.
why_no_value() {
  local state=""
  ! has_secret "$1" || state=$(look_up "values.$1" '.[0].state | ascii_downcase')
  if [[ -n $state ]]; then
    echo "its newest version in Secret Manager is $state"
  else
    echo "Secret Manager has none"
  fi
}

# Nothing is begun while a key is missing.
check_secrets() {
  local name
  for name in $(each '[.functions[].secrets[]] | unique[]'); do
    if ! is_given "$name" && ! has_value "$name"; then
      problem "$name has no value, and $(why_no_value "$name"): export it, or write $name= into ${env_file:-deploy.env} for a function that can go without"
    fi
  done
  if [[ $mode == plan ]]; then
    for name in ${problems[@]+"${problems[@]}"}; do note "$name"; done
    problems=()
  else
    refuse_problems 78
  fi
}

secret_steps() {
  local row name
  check_secrets
  for name in $(each '[.functions[].secrets[]] | unique[]'); do
    if has_value "$name"; then
      same "secret $name"
    elif has_secret "$name"; then
      input="secret $name"
      change add "value of secret $name: $(why_no_value "$name")" \
        gcloud secrets versions add "$name" --data-file=- --project="$project" --quiet
    else
      absent secret-policy "$name"
      input="secret $name"
      change create "secret $name" \
        gcloud secrets create "$name" --replication-policy=automatic --data-file=- \
        --project="$project" --quiet
    fi
  done
  while IFS= read -r row; do
    eval "$row"
    for name in $secrets; do
      grant "secret-policy.$name" "serviceAccount:$account" roles/secretmanager.secretAccessor \
        "$function may read $name" \
        gcloud secrets add-iam-policy-binding "$name"
    done
  done < <(function_rows)
}

# Dead letters stay for a week in a subscription of their own. Who pulls them has ten minutes to replay
# and acknowledge them, which is as long as Pub/Sub lets.
dead_letter_steps() {
  local member
  member=$(pubsub_member)
  [[ -n $(each '.functions[].triggers[].name') ]] || return 0
  if has topics "$dead_letters"; then
    same "topic $dead_letters"
  else
    absent topic-policy "$dead_letters"
    change create "topic $dead_letters" \
      gcloud pubsub topics create "$dead_letters" --project="$project" --quiet
  fi
  if there_is subscriptions 'any(.[]; (.name | endswith("/subscriptions/" + $name))
      and .ackDeadlineSeconds == 600)' --arg name "$dead_letters"; then
    same "subscription $dead_letters"
  elif has subscriptions "$dead_letters"; then
    change update "subscription $dead_letters: 600 s to replay what is pulled" \
      gcloud pubsub subscriptions update "$dead_letters" --ack-deadline=600 \
      --project="$project" --quiet
  else
    change create "subscription $dead_letters, which keeps them for a week" \
      gcloud pubsub subscriptions create "$dead_letters" --topic="$dead_letters" \
      --ack-deadline=600 --message-retention-duration=7d --expiration-period=never --project="$project" --quiet
  fi
  if ! grants "topic-policy.$dead_letters" "$member" roles/pubsub.publisher; then
    change create "Pub/Sub's own account in the project" \
      gcloud beta services identity create --service=pubsub.googleapis.com \
      --project="$project" --quiet
  fi
  grant "topic-policy.$dead_letters" "$member" roles/pubsub.publisher \
    "Pub/Sub may write dead letters" \
    gcloud pubsub topics add-iam-policy-binding "$dead_letters"
}

# The account of a project's Pub/Sub, as a member of policies.
pubsub_member() {
  if [[ $project_number == $'\036'* ]]; then printf '\036'; fi
  printf %s "serviceAccount:service-${project_number#$'\036'}@gcp-sa-pubsub.iam.gserviceaccount.com"
}

budget_step() {
  [[ -n $budget ]] || return 0
  local title="worldchat $project" amount name
  name=$(look_up budgets 'first(.[] | select(.displayName == $title) | .name) // ""' \
    --arg title "$title")
  amount=$(look_up budgets 'first(.[] | select(.displayName == $title) | .amount.specifiedAmount
    | ((.units // "0" | tonumber) + (.nanos // 0) / 1000000000)) // ""' --arg title "$title")
  if [[ -z $name ]]; then
    change create "budget of $budget a month: mail at half, at nine tenths and at all of it" \
      gcloud billing budgets create --billing-account="$billing_account" \
      --display-name="$title" --budget-amount="$budget" --filter-projects="projects/$project" \
      --threshold-rule=percent=0.5 --threshold-rule=percent=0.9 --threshold-rule=percent=1.0 \
      --project="$project" --quiet
  elif jq -n -e "$amount == $budget" > /dev/null; then
    same "budget of $budget a month"
  else
    change update "budget, from $amount to $budget a month" \
      gcloud billing budgets update "$name" --budget-amount="$budget" \
      --project="$project" --quiet
  fi
}

alert_steps() {
  local file title name channel=""
  if [[ -n $alert_email ]]; then
    if ! there_is channels 'any(.[]; .type == "email" and .labels.email_address == $address)' \
      --arg address "$alert_email"; then
      change create "alerts go to $alert_email" \
        gcloud beta monitoring channels create --type=email --display-name="$alert_email" \
        --channel-labels="email_address=$alert_email" --project="$project" --quiet
      forget channels
    else
      same "alerts go to $alert_email"
    fi
    channel=$(look_up channels 'first(.[] | select(.type == "email"
      and .labels.email_address == $address) | .name) // ""' --arg address "$alert_email")
    channel=${channel:-$'\036'"\$(gcloud beta monitoring channels list --project=$project --filter='labels.email_address=$alert_email' --format='value(name)' --limit=1)"}
  fi
  for file in "$deployment"/alerts/*.json; do
    title=$(jq -r .displayName "$file")
    name=$(look_up alerts 'first(.[] | select(.displayName == $title) | .name) // ""' --arg title "$title")
    if [[ -z $name ]]; then
      change create "alert: $title" \
        gcloud alpha monitoring policies create --policy-from-file="$file" \
        ${channel:+"$(option notification-channels "$channel")"} --project="$project" --quiet
    elif [[ -z $channel ]] || there_is alerts 'any(.[]; .name == $name
        and any(.notificationChannels[]?; . == $channel))' --arg name "$name" --arg channel "$channel"; then
      same "alert: $title"
    else
      change update "alert: $title, to $alert_email too" \
        gcloud alpha monitoring policies update "$name" \
        "$(option add-notification-channels "$channel")" --project="$project" --quiet
    fi
  done
}
