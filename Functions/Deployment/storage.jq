# Cloud Storage: the bucket of users' uploads, its security rules, and the roles in it.

include "names";
include "project";
include "rules";
include "steps";

# Tells whether the deployment has functions that get the bucket's events, know its name or write to it.
def uses_bucket: any(.functions[]; .usesBucket);

# The default bucket of a new project. Those from before October 30, 2024 are called PROJECT.appspot.com.
def new_default_bucket: "\(.settings.project).firebasestorage.app";

def bucket_name:
  new_default_bucket as $new
  | [(.settings.bucket | select(. != "")), (.cloud["default-bucket"].bucket.name | values | split("/")[-1]), $new][0];

# Names the bucket in the functions' triggers and variables. Another bucket that a manifest names stays.
def with_bucket:
  bucket_name as $bucket
  | (.functions[]?.triggers[] | select(has("bucket"))) |= (
      .bucket //= $bucket | .bucket as $bucket | .name |= .[:-8] + ("\(.) \($bucket)" | hash))
  | (.functions[]? | .event, .call | values | .environment | select(has("STORAGE_BUCKET")) | .STORAGE_BUCKET)
    |= $bucket;

# The bucket, or null if it doesn't exist.
def bucket: .cloud.bucket;
# Names of buckets are unique in the world, not in the project.
def is_of_project: .settings.projectNumber as $number | bucket | . == null or (.projectNumber | tostring) == $number;

# The location of the bucket, or of the one to be created. Its triggers must be in the same location.
def bucket_location:
  [(bucket.location | values | ascii_downcase), (.settings.bucketLocation | select(. != "")), .settings.region][0];

def firebase_storage_url: "https://firebasestorage.googleapis.com/v1beta/projects/\(.settings.project)";

# The file of the bucket's security rules in firebase.json, or null. An entry names a bucket or, in .firebaserc, a target
# of the project. An entry with neither is for the deployment's bucket.
def bucket_rules_file:
  bucket_name as $name
  | .targets[.settings.project].storage as $targets
  | [.storage[]
      | select(if .target then $targets[.target] // [] else [.bucket // $name] end | index($name)) | .rules][0];

def bucket_rules:
  bucket_rules_file as $file
  | {
      service: "firebase.storage", question: "bucket-release", file: ($file // "storage.rules"),
      text: (.rulesFiles[$file // ""] // ""), release: "firebase.storage/\(bucket_name)", attachment: null
    };

# The reasons to stop a deployment before its first step.
def refused_bucket:
  bucket_name as $name
  | bucket_location as $location
  | .settings as {bucketLocation: $wanted, $project}
  | (.functions[] | .name as $function | .triggers[] | select(.bucket and .bucket != $name)
      | stop(65; "\($function) has a trigger for bucket \(.bucket), but the deployment's is \($name): choose another"
          + " with --storage-bucket")),
    (select(bucket_rules_file == null)
      | stop(65; "firebase.json names no security rules for bucket \($name): add"
          + " \"storage\": {\"rules\": \"storage.rules\"}")),
    (select(is_of_project | not)
      | stop(65; "bucket \($name) belongs to another project than \($project): choose another with --storage-bucket")),
    (select(bucket == null and ($name | endswith(".appspot.com")))
      | stop(64; "there is no bucket \($name), and Google creates no new one of this name: choose another with"
          + " --storage-bucket")),
    (select(bucket and $wanted != "" and $wanted != $location)
      | stop(64; "--storage-bucket-location is \($wanted), but bucket \($name) is in \($location)"));

# Only Firebase can create a bucket in its domain. The request also links the bucket to Firebase.
def bucket_step:
  bucket_name as $name
  | bucket_location as $location
  | "bucket \($name) in \($location)" as $title
  | if bucket then same($title)
    elif $name == new_default_bucket then
      {
        verb: "create", title: "\($title), which can't be moved later",
        command: request("POST"; "\(firebase_storage_url)/defaultBucket";
          ["--data", "{\"location\":\"\($location)\"}"]),
        hint: ("Only a Firebase project on the Blaze plan can have a default bucket: add Firebase to the project in"
          + " Firebase's console, https://console.firebase.google.com. If Google refuses the bucket nevertheless,"
          + " create it there, under Storage.")
      }
    else
      change("create"; "\($title), which can't be moved later"; "storage buckets create";
        ["gs://\($name)", "--location=\($location)", "--uniform-bucket-level-access"])
    end;

# Links the bucket to Firebase, whose SDKs and security rules work only with linked buckets.
def link_step:
  bucket_name as $name
  | "bucket \($name) is linked to Firebase" as $title
  | if seen("linked-bucket") then same($title)
    elif bucket == null and $name == new_default_bucket then empty
    else
      {
        verb: "link", $title,
        command: request("POST"; "\(firebase_storage_url)/buckets/\($name):addFirebase"; ["--data", "{}"]),
        hint: ("Only a Firebase project on the Blaze plan can link a bucket: add Firebase to the project in Firebase's"
          + " console, https://console.firebase.google.com.")
      }
    end;

# The account of a Google service in the project.
def service_agent($service): "service-\(.settings.projectNumber)@\($service).iam.gserviceaccount.com";

# The bucket's security rules, and the role that Firebase's service account needs if they read Firestore.
def bucket_rules_steps:
  "security rules of bucket \(bucket_name)" as $title
  | bucket_rules as $rules
  | rules_step($rules; $title),
    (select($rules.text | test("firestore[[:space:]]*[.][[:space:]]*(get|exists)[[:space:]]*[(]"))
      | project_role(service_agent("gcp-sa-firebasestorage"); "roles/firebaserules.firestoreServiceAgent";
          "\($title) may read Firestore"; "")
      | if .command then .hint = "If Google says that the account doesn't exist, see \"When apply stops\" in"
          + " Functions/DEPLOY.md." else . end);

# The roles of functions' accounts in the bucket. A role from an earlier deployment is revoked.
def object_role_steps:
  bucket_name as $name
  | "projects/\(.settings.project)/roles/\(object_role)" as $role
  | .functions[] as $function
  | "serviceAccount:\($function.account)" as $member
  | if $function.objectRole then
      grant("bucket-policy"; $member; $function.objectRole; "role of \($function.name) in bucket \($name)";
        "storage buckets"; ["gs://\($name)"])
    elif grants("bucket-policy"; $member; $role; "") then
      change("revoke"; "role of \($function.name) in bucket \($name): \(object_role)";
        "storage buckets remove-iam-policy-binding"; ["gs://\($name)", "--member=\($member)", "--role=\($role)"])
    else empty end;

# Cloud Storage's service account publishes the events of buckets with triggers.
def publisher_steps:
  service_agent("gs-project-accounts") as $account
  | select(any(.functions[].triggers[]; .bucket))
  | if grants("policy"; "serviceAccount:\($account)"; "roles/pubsub.publisher"; "") then empty
    else change("create"; "Cloud Storage's service account in the project"; "storage service-agent"; []) end,
    project_role($account; "roles/pubsub.publisher"; "Cloud Storage may publish events"; "");

def storage_steps: bucket_step, link_step, bucket_rules_steps, object_role_steps, publisher_steps;
