# The database, its indexes, and its TTL policies.

include "steps";

# The location of the database, or of the one to be created. Its triggers must be in the same
# location.
def location:
  named("databases"; .settings.database).locationId as $there
  | .settings | [$there, .location, .region | select(. != null and . != "")][0];

# The reasons to stop a deployment before its first step.
def refused_database:
  .settings as {$database, location: $wanted}
  | named("databases"; $database)
  | select(. != null)
  | if $wanted != "" and .locationId != $wanted then
      stop(64; "--database-location is \($wanted), but database \($database) is in \(.locationId)")
    elif .type == "DATASTORE_MODE" then
      stop(65; "database \($database) is in Datastore mode; functions need one in native mode")
    else empty end;

def database_step:
  .settings.database as $database
  | location as $location
  | create("databases"; $database; "database \($database) in \($location)"; ", which can't be moved later";
      "firestore databases";
      ["--database=\($database)", "--location=\($location)", "--type=firestore-native"]);

# The fields that identify an index, whether it is needed or exists.
def essence: [.fields[] | select(.fieldPath != "__name__") | [.fieldPath, .order, .arrayConfig]];

def composite_steps:
  .settings.database as $database
  | .indexes.indexes[] as $index
  | ($index.queryScope // "COLLECTION") as $scope
  | "index of \($index.collectionGroup): \([$index.fields[].fieldPath] | join(", "))" as $title
  | if any(list("composites")[]; (.name | contains("/collectionGroups/\($index.collectionGroup)/"))
        and .queryScope == $scope and essence == ($index | essence)) then same($title)
    else change("create"; $title; "firestore indexes composite create";
      ["--collection-group=\($index.collectionGroup)",
        "--query-scope=\($scope | ascii_downcase | gsub("_"; "-"))",
        ($index.fields[] | "--field-config=field-path=\(.fieldPath),"
          + if .arrayConfig then "array-config=contains" else "order=\(.order | ascii_downcase)" end),
        "--database=\($database)", "--async"]) end;

# The indexes of single fields. gcloud can't create one for collection groups, so curl calls the
# API.
def field_steps:
  .settings as {$project, $database}
  | .indexes.fieldOverrides[] as {collectionGroup: $group, fieldPath: $field, $indexes}
  | "indexes of \($group).\($field)" as $title
  | ([list("fields")[] | select(.name | endswith("/collectionGroups/\($group)/fields/\($field)"))
      | select(.indexConfig.usesAncestorConfig != true)
      | [.indexConfig.indexes[]? | {queryScope} + (.fields[0] | {order, arrayConfig})] | sort][0]) as $there
  | if $there == ($indexes | map({queryScope, order, arrayConfig}) | sort) then same($title)
    elif $indexes == [] then
      change("disable"; "\($title), which no query uses"; "firestore indexes fields update"; [$field,
        "--collection-group=\($group)", "--disable-indexes", "--database=\($database)", "--async"])
    else
      request("PATCH";
        "https://firestore.googleapis.com/v1/projects/\($project)/databases/\($database)/collectionGroups/\(
          $group)/fields/\($field)?updateMask=indexConfig";
        ["--data", ({indexConfig: {indexes: [$indexes[] | {queryScope, fields: [
          {fieldPath: $field} + (if .order then {order} else {arrayConfig} end)]}]}} | tojson)])
      | {verb: "update", title: "\($title), also for collection groups", command: .} end;

def expiry_steps:
  .settings.database as $database
  | (.indexes.fieldOverrides[] | select(.ttl)) as {collectionGroup: $group, fieldPath: $field}
  | if any(list("ttls")[]; .ttlConfig != null
        and (.name | endswith("/collectionGroups/\($group)/fields/\($field)"))) then
      same("TTL policy of \($group): \($field)")
    else change("enable"; "TTL policy of \($group): \($field)"; "firestore fields ttls update"; [$field,
      "--collection-group=\($group)", "--enable-ttl", "--database=\($database)", "--async"]) end;
