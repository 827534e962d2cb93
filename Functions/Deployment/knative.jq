# Knative's manifests of a deployment as YAML documents, written in JSON, which is valid YAML.
#
# Input: all files of $known. The Secret `worldchat` has the functions' keys under their variables'
# names, and the Secret `worldchat-google` has a service account's key file. Events arrive through
# the Broker `default`; something else must forward the events of databases and buckets to it.

include "realtime";
include "services";
include "steps";
include "storage";

# Translates a path pattern for the broker's LIKE, where % matches any text. % also matches slashes,
# so the function checks the path again.
def like:
  gsub("(?<c>[_\\\\])"; "\\\(.c)") | gsub("\\{[^}]*\\}|\\*+"; "%") | gsub("\u0027"; "\\\u0027");

def service($function; $service):
  instance_url as $address
  | {
    apiVersion: "serving.knative.dev/v1",
    kind: "Service",
    metadata: {
      name: $service.name,
      labels: ({"app.kubernetes.io/part-of": "worldchat"}
        + if $service.isPublic then {} else {"networking.knative.dev/visibility": "cluster-local"} end)
    },
    spec: {template: {
      metadata: {annotations: {
        "autoscaling.knative.dev/min-scale": .settings.minInstances,
        "autoscaling.knative.dev/max-scale": .settings.maxInstances
      }},
      spec: {
        containerConcurrency: $function.concurrency,
        timeoutSeconds: ($function.timeoutSeconds + 10),
        containers: [{
          image: $function.image,
          env: ([$service.environment + {GOOGLE_APPLICATION_CREDENTIALS: "/var/secrets/google/key.json"}
              | to_entries[] | {name: .key, value: (.value // $address)}]
            + [$function.secrets[] | {name: ., valueFrom: {secretKeyRef: {
                name: "worldchat", key: ., optional: true}}}]),
          volumeMounts: [{name: "google", mountPath: "/var/secrets/google", readOnly: true}],
          resources: {limits: {cpu: "1", memory: "\($function.memoryMiB)Mi"}},
          readinessProbe: {httpGet: {path: "/healthz"}},
          securityContext: {
            allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, runAsNonRoot: true,
            capabilities: {drop: ["ALL"]}, seccompProfile: {type: "RuntimeDefault"}
          }
        }],
        volumes: [{name: "google", secret: {
          secretName: "worldchat-google", items: [{key: "key.json", path: "key.json"}]
        }}]
      }
    }}
  };

def trigger($function; $trigger):
  {
    apiVersion: "eventing.knative.dev/v1",
    kind: "Trigger",
    metadata: {
      name: $trigger.name,
      labels: {"app.kubernetes.io/part-of": "worldchat"}
    },
    spec: {
      broker: "default",
      filters: [
        {exact: {type: $trigger.eventType}},
        if $trigger.ref then
          {cesql: "instance = \u0027\($trigger.instance)\u0027"},
          {cesql: "ref LIKE \u0027\($trigger.ref | like)\u0027"}
        elif $trigger.bucket then
          {exact: {source: "//storage.googleapis.com/projects/_/buckets/\($trigger.bucket)"}},
          # The subject is `objects/` and the name.
          (select($trigger.objects | all(. != null))
            | {cesql: ($trigger.objects | map("subject LIKE \u0027objects/\(like)\u0027") | join(" OR "))})
        else
          {cesql: "database = \u0027\($trigger.database)\u0027"},
          {cesql: "document LIKE \u0027\($trigger.document | like)\u0027"}
        end
      ],
      subscriber: {ref: {
        apiVersion: "serving.knative.dev/v1", kind: "Service", name: $function.event.name
      }},
      # Twelve retries, each after twice the delay of the one before: eleven hours in total.
      delivery: {
        retry: (if $function.deliveryAttempts == 5 then 0 else 12 end),
        backoffPolicy: "exponential", backoffDelay: "PT10S"
      }
    }
  };

known
| with_bucket
| "# The services named *-event don't check the sender of events. They are reachable only in the cluster, but
# every workload there can post events to them. Restrict the senders in the service mesh: see
# \"Other clusters\" in Functions/DEPLOY.md.",
  (warning_of_anonymous_calls | .say),
  (.functions[] as $function
    | service($function; $function.event, $function.call | values),
      trigger($function; $function.triggers[])
    | "---", .)
