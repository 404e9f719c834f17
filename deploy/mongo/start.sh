#!/bin/bash
# Starts the member of the replica set. Members identify themselves to each other, and users are required, by a key file,
# which must belong to the user of the process alone. Arguments are passed on to mongod.
set -euo pipefail
install -m 0400 "${REPLICA_SET_KEY_FILE:-/run/secrets/mongo_replica_set_key}" "${TMPDIR:-/tmp}/replica-set.key"
# The transaction of a killed process blocks the records that it wrote for at most this long.
exec mongod --replSet vouch --keyFile "${TMPDIR:-/tmp}/replica-set.key" --setParameter transactionLifetimeLimitSeconds=15 "$@"
