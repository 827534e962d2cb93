#!/usr/bin/env bash
# Deploys the functions to Google Cloud: Cloud Run, Eventarc, Firestore. See Functions/DEPLOY.md.
set -euo pipefail
umask 077
cd "$(dirname "$0")"
deployment=Functions/Deployment

usage() {
  cat <<'END'
usage: deploy.sh COMMAND [FUNCTION…] [OPTION…]

Commands:
  build      build stripped release executables in dist/
  image      make container images in dist/images; --output FOLDER, --binaries FOLDER
  plan       print each command that apply would run, and what it would change
  apply      create and change only what differs
  status     show services, revisions, traffic, triggers, missing secrets, dead letters
  rollback   send all traffic to the previous revision
  destroy    delete services, triggers and accounts after a confirmation; data stays

Options, with their environment variables:
  --project ID             Google Cloud project; GOOGLE_CLOUD_PROJECT
  --region REGION          region of the functions; GOOGLE_CLOUD_REGION
  --database ID            Firestore database; FIRESTORE_DATABASE; default (default)
  --database-location L    location of a new database; FIRESTORE_LOCATION; default REGION
  --tag TAG                tag of the images; default the commit and a hash of later changes
  --registry HOST/PATH     registry; default REGION-docker.pkg.dev/PROJECT/worldchat
  --traffic PERCENT        traffic to the new revision; default 100
  --app-check              calls need an App Check token, too; APP_CHECK=enforce
  --anonymous-calls        calls need no token; ANONYMOUS_CALLS=allow; default refuse
  --min-instances N        instances of each service at least; MIN_INSTANCES; default 0
  --max-instances N        instances of each service at most; MAX_INSTANCES; default 20
  --budget AMOUNT          monthly budget, with --billing-account; BUDGET
  --billing-account ID     billing account of the budget; BILLING_ACCOUNT
  --alert-email ADDRESS    recipient of alerts; ALERT_EMAIL
  --target knative         with plan: print manifests for a cluster; needs --registry
  --offline                with plan: ask Google nothing, plan for an empty project
  --functions FOLDER       deploy the executables in FOLDER, not the project's functions
  --env-file FILE          lines NAME=value, settings and functions' variables; default deploy.env
  --yes                    with destroy: don't ask for confirmation
  --with-secrets           with destroy: delete secrets, too
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
    # Another user reads the files in an image.
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
