#!/usr/bin/env bash
# Deploys the functions to Google Cloud: Cloud Run, Eventarc, Firestore, Cloud Storage. See Functions/DEPLOY.md.
set -euo pipefail
umask 077
cd "$(dirname "$0")"
deployment=Functions/Deployment

usage() {
  cat <<'END'
usage: deploy.sh COMMAND [FUNCTION…] [OPTION…]

A command applies to all functions, or only to the named ones.

Commands:
  build      build release executables in dist/, without debug symbols
  image      make container images; see Options of image
  plan       print each command that apply would run, and what it would change
  apply      set up what is missing, and change what differs
  status     show services, revisions and traffic, triggers, secrets without a value, security
             rules, and the number of dead letters
  rollback   send all traffic to the previous revision of each service; without a FUNCTION, also
             put the previous security rules of Firestore and Cloud Storage in force
  destroy    delete services, triggers, service accounts and alerts, after a confirmation; the
             databases, buckets and their security rules, images, dead letters, the budget and, unless
             asked for, secrets stay
  help       show this text

Options. In parentheses: the variable to set instead, in the shell or in deploy.env; the default.
  --project ID             Google Cloud project (GOOGLE_CLOUD_PROJECT; required)
  --region REGION          region of the functions (GOOGLE_CLOUD_REGION; required)
  --database ID            Firestore database (FIRESTORE_DATABASE; "(default)")
  --database-location L    location of a new database (FIRESTORE_LOCATION; the region)
  --realtime-database ID   Realtime Database, or none (REALTIME_DATABASE; PROJECT-default-rtdb)
  --realtime-database-location L
                           location of a new Realtime Database: us-central1, europe-west1 or
                           asia-southeast1 (REALTIME_DATABASE_LOCATION; the region's continent,
                           us-central1 outside of Europe, Asia and Australia)
  --storage-bucket NAME    bucket of Cloud Storage, or none (STORAGE_BUCKET; Firebase's default
                           bucket, a new one is PROJECT.firebasestorage.app)
  --storage-bucket-location L
                           location of a new bucket (STORAGE_BUCKET_LOCATION; the region)
  --tag TAG                tag of the images (the commit, with -dirty-HASH if the sources
                           have uncommitted changes)
  --registry HOST/PATH     image registry (REGION-docker.pkg.dev/PROJECT/worldchat)
  --traffic PERCENT        share of the traffic for the new revision (100)
  --app-check              require an App Check token from callers (APP_CHECK=enforce; off)
  --anonymous-calls        accept calls without a token (ANONYMOUS_CALLS=allow; refuse)
  --min-instances N        minimum of instances of each service (MIN_INSTANCES; 0)
  --max-instances N        maximum of instances of each service (MAX_INSTANCES; 20)
  --budget AMOUNT          monthly budget, in the billing account's currency (BUDGET);
                           needs --billing-account
  --billing-account ID     billing account of the budget (BILLING_ACCOUNT)
  --alert-email ADDRESS    recipient of alerts (ALERT_EMAIL)
  --functions FOLDER       folder of the functions' executables (dist/, or the
                           folder of the last swift build)
  --env-file FILE          file with lines NAME=value: settings, keys and the functions'
                           variables (deploy.env)

Options of plan:
  --offline                don't ask Google; plan for an empty project
  --target knative         print manifests for a Knative cluster; needs --registry

Options of destroy:
  --yes                    don't ask for confirmation
  --with-secrets           delete secrets, too

Options of image:
  --output FOLDER          folder of the images (dist/images)
  --binaries FOLDER        folder of executables to use instead of building them

Functions/DEPLOY.md describes each step.
END
}

. Functions/Deployment/project.sh
. Functions/Deployment/build.sh
. Functions/Deployment/image.sh
. Functions/Deployment/known.sh
. Functions/Deployment/manifests.sh
. Functions/Deployment/steps.sh
. Functions/Deployment/commands.sh

command=${1:-}
[[ $# -eq 0 ]] || shift
case "$command" in
  build | image)
    # A container runs as another user, who must be able to read the image's files.
    umask 022
    "$command" "$@"
    exit
    ;;
  plan | apply | status | rollback | destroy) ;;
  help | -h | --help)
    usage
    exit
    ;;
  *)
    usage >&2
    exit 64
    ;;
esac

command -v jq > /dev/null || fail "jq is missing: apt-get install jq, or brew install jq" 69
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
known=$work/known
mkdir "$known"
read_settings "$@"
if [[ $command != plan ]] && ! command -v gcloud > /dev/null; then
  fail "gcloud is missing: https://cloud.google.com/sdk/docs/install" 69
fi
read_folder
"$command"
