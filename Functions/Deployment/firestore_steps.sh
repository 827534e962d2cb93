# The database, its indexes, and what expires in it. Sourced by deploy.sh.
# shellcheck shell=bash disable=SC2016

indexes=Shared/Schemas/firestore.indexes.json

# Sets `location` to where the database is: its triggers can only be there.
find_database() {
  local there
  there=$(look_up databases 'first(.[] | select(.name | endswith("/databases/" + $database))
    | .locationId) // ""' --arg database "$database")
  if [[ -n $there && -n $location && $there != "$location" ]]; then
    fail "--database-location $location: database $database is in $there" 64
  fi
  location=${there:-${location:-$region}}
}

# What is true of the database that functions use, and of no other in the project.
database_expression() {
  printf %s "resource.name == \"projects/$project/databases/$database\""
}

database_step() {
  if has databases "$database"; then
    if there_is databases 'any(.[]; (.name | endswith("/databases/" + $database))
      and .type == "DATASTORE_MODE")' --arg database "$database"; then
      fail "database $database is in Datastore mode; functions need one in native mode" 65
    fi
    same "database $database in $location"
  else
    change create "database $database in $location, where it stays" \
      gcloud firestore databases create --database="$database" --location="$location" \
      --type=firestore-native --project="$project" --quiet
  fi
}

composite_steps() {
  local row index group scope title fields
  while IFS= read -r row; do
    eval "$row"
    if there_is composites 'any(.[];
        (.name | contains("/collectionGroups/" + $index.collectionGroup + "/"))
        and .queryScope == ($index.queryScope // "COLLECTION")
        and ([.fields[] | select(.fieldPath != "__name__") | [.fieldPath, .order, .arrayConfig]]
          == [$index.fields[] | [.fieldPath, .order, .arrayConfig]]))' --argjson index "$index"; then
      same "$title"
    else
      # shellcheck disable=SC2086
      change create "$title" \
        gcloud firestore indexes composite create --collection-group="$group" \
        --query-scope="$scope" $fields \
        --database="$database" --async --project="$project" --quiet
    fi
  done < "$work/composites.rows"
}

# A field's own indexes. gcloud has no way to say that one is for collection groups.
field_steps() {
  local row group field wanted body
  while IFS= read -r row; do
    eval "$row"
    if has fields "$group/fields/$field $wanted"; then
      same "indexes of $group.$field"
    elif [[ -z $wanted ]]; then
      change disable "indexes of $group.$field, which nobody asks for" \
        gcloud firestore indexes fields update "$field" --collection-group="$group" \
        --disable-indexes --database="$database" --async --project="$project" --quiet
    else
      input=token
      change update "indexes of $group.$field, for collection groups too" \
        curl --silent --show-error --fail --request PATCH --header @- \
        --header "content-type: application/json" --data "$body" \
        "https://firestore.googleapis.com/v1/projects/$project/databases/$database/collectionGroups/$group/fields/$field?updateMask=indexConfig"
    fi
  done < "$work/fields.rows"
}

expiry_steps() {
  local row group field
  while IFS= read -r row; do
    eval "$row"
    if has ttls "$group/fields/$field"; then
      same "$group expire by $field"
    else
      change enable "$group expire by $field" \
        gcloud firestore fields ttls update "$field" --collection-group="$group" --enable-ttl \
        --database="$database" --async --project="$project" --quiet
    fi
  done < "$work/expiries.rows"
}

# Made before any step: what can't be read is an error then.
make_index_rows() {
  jq -r '.indexes[] | [
      "index=\(tojson | @sh)",
      "group=\(.collectionGroup | @sh)",
      "scope=\(.queryScope // "COLLECTION" | ascii_downcase | gsub("_"; "-") | @sh)",
      "title=\("index of \(.collectionGroup): \([.fields[].fieldPath] | join(", "))" | @sh)",
      "fields=\([.fields[] | "--field-config=field-path=\(.fieldPath),"
        + if .arrayConfig then "array-config=contains" else "order=\(.order | ascii_downcase)" end]
        | join(" ") | @sh)"
    ] | join(" ")' "$indexes" > "$work/composites.rows"
  jq -r '.fieldOverrides[] | .fieldPath as $field | [
      "group=\(.collectionGroup | @sh)",
      "field=\(.fieldPath | @sh)",
      "wanted=\([.indexes[] | "\(.queryScope) \(.order // .arrayConfig)"] | sort | join(", ") | @sh)",
      "body=\({indexConfig: {indexes: [.indexes[] | {queryScope, fields: [
        {fieldPath: $field} + (if .order then {order} else {arrayConfig} end)]}]}} | tojson | @sh)"
    ] | join(" ")' "$indexes" > "$work/fields.rows"
  jq -r '.fieldOverrides[] | select(.ttl)
    | "group=\(.collectionGroup | @sh) field=\(.fieldPath | @sh)"' "$indexes" > "$work/expiries.rows"
}
