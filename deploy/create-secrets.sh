#!/bin/sh
# Creates the files in deploy/secrets that docker-compose.yml mounts, and keeps those that exist. Run it as root:
# the files belong to root and to group 10001, so that on this machine only root can read them, and in a container only
# the processes that are given them: workers start as root and change to another user, the others are in that group.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets files backups
chmod 0755 files
chmod 0700 backups
chown 1000:1000 backups

# A file gets its name once all of it is written: one that was left half-written by a failure would be kept. It has no
# newline at its end, because a Secret of Kubernetes would keep it, and not every reader removes it.
create() {
  if [ -s "secrets/$1" ]; then return; fi
  value=$("$2") || exit 1
  printf %s "$value" >"secrets/.$1.partial"
  mv "secrets/.$1.partial" "secrets/$1"
}
random() {
  openssl rand -hex 32
}
master_key() {
  key=$(openssl rand -base64 32) && printf 'k1:%s' "$key"
}

create master_key master_key
for name in jwt_secret s3_secret_key postgres_password mongo_replica_set_key metrics_token backup_key; do
  create "$name" random
done
for user in root api orchestration vision rendering delivery screening exports admin maintenance; do
  create "mongo_${user}_password" random
done
# Optional; an empty file counts as not set.
for name in temporal_api_key vault_token vault_secret_id audit_head_webhook_secret companies_house_api_key; do
  create "$name" true
done

chmod 0700 secrets
chmod 0440 secrets/*
chown 0:10001 secrets secrets/*
echo "Back up deploy/secrets/master_key: without it, what the service has encrypted cannot be read."
echo "Keep a copy of deploy/secrets/backup_key, too: it is the passphrase of the backups."
