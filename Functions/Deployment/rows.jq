# A deployment's functions, or their triggers, each as a line of assignments for the shell.
#
# Input: what deployment.jq gives. $kind is "functions" or "triggers".

# Items of a flag that takes several, apart by what is in none of them.
def listed:
  join("") as $all
  | (first((",", ";", "|", "~", "@", "#", "%%", "::::")
      | select(. as $separator | $all | contains($separator) | not))
    // error("these values can't be told apart: \($all[:40])…")) as $separator
  | if $separator == "," then join(",") else "^\($separator)^" + join($separator) end;

def environment: [.environment | to_entries[] | "\(.key)=\(.value)"] | listed;

def names: join(" ");

if $kind == "functions" then
  .functions[]
  | [
      {key: "function", value: .name},
      {key: "slug", value: .slug},
      {key: "image", value: .image},
      {key: "account", value: .account},
      {key: "event_account", value: .eventAccount},
      {key: "database_role", value: .databaseRole},
      {key: "roles", value: (.roles | names)},
      {key: "secrets", value: (.secrets | names)},
      {key: "memory", value: .memoryMiB},
      {key: "concurrency", value: .concurrency},
      {key: "timeout", value: .timeoutSeconds},
      {key: "attempts", value: .deliveryAttempts},
      {key: "triggers", value: (.triggers | map(.name) | names)},
      {key: "event_service", value: (.event.name // "")},
      {key: "call_service", value: (.call.name // "")},
      {key: "event_environment", value: (.event | if . then environment else "" end)},
      {key: "call_environment", value: (.call | if . then environment else "" end)}
    ]
else
  .functions[] | .name as $function | .triggers[]
  | [
      {key: "function", value: $function},
      {key: "trigger", value: .name},
      {key: "event_type", value: .eventType},
      {key: "trigger_database", value: .database},
      {key: "document_filter", value: (
        (if .isPattern then "--event-filters-path-pattern" else "--event-filters" end)
        + "=document=\(.document)")},
      {key: "trigger_title", value: (
        "trigger \(.name): \(.document) \(.eventType | split(".v1.")[1])"
        + if .fields == [] then "" else ", of which it takes \(.fields | join(", "))" end)}
    ]
end
| map("\(.key)=\(.value | tostring | @sh)") | join(" ")
