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

create() {
  [ -e "secrets/$1" ] || "$2" >"secrets/$1"
}
random() {
  openssl rand -hex 32
}
master_key() {
  printf 'k1:'
  openssl rand -base64 32
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
