#!/usr/bin/env bash
# Takes the functions to the cloud: Cloud Run, Eventarc, Firestore. See Functions/DEPLOY.md.
set -euo pipefail
umask 077
cd "$(dirname "$0")"
deployment=Functions/Deployment

usage() {
  cat <<'END'
usage: deploy.sh COMMAND [FUNCTION…] [OPTION…]

  build      the release executables, stripped, into dist/
  image      container images, into dist/images; --output FOLDER, --binaries FOLDER
  plan       prints each command that apply would run, and what it would change
  apply      runs them; what is there already stays as it is
  status     services, their revisions and traffic, triggers, missing secrets, dead letters
  rollback   all traffic goes to the revision before
  destroy    takes services, triggers and accounts away; asks first; data stays

  --project ID             GOOGLE_CLOUD_PROJECT
  --region REGION          GOOGLE_CLOUD_REGION: where the functions run
  --database ID            FIRESTORE_DATABASE; default (default)
  --database-location L    FIRESTORE_LOCATION: where it is made if it isn't there; default REGION
  --tag TAG                of the images; default the commit, and what is changed since
  --registry HOST/PATH     default REGION-docker.pkg.dev/PROJECT/worldchat
  --traffic PERCENT        what the new revision gets; default 100
  --app-check              APP_CHECK=enforce: calls need an App Check token, too
  --anonymous-calls        ANONYMOUS_CALLS=allow: calls need no token; default refuse
  --min-instances N        MIN_INSTANCES; default 0
  --max-instances N        MAX_INSTANCES, of each service; default 20
  --budget AMOUNT          BUDGET a month, and who pays:
  --billing-account ID     BILLING_ACCOUNT
  --alert-email ADDRESS    ALERT_EMAIL: where alerts go
  --target knative         plan prints manifests for a cluster; needs --registry
  --offline                plan as if nothing were there
  --functions FOLDER       executables to deploy instead of the project's own
  --env-file FILE          default deploy.env: lines NAME=value, settings and functions' variables
  --yes, --with-secrets    destroy without asking; keys, too
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
    # What is in an image is read by another user.
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
