#!/bin/bash
# Members of a replica set with authentication identify themselves to each other with a shared key file.
set -euo pipefail
install -m 0400 -o mongodb -g mongodb /dev/stdin /tmp/replica-set.key <<<"$MONGO_REPLICA_SET_KEY"
unset MONGO_REPLICA_SET_KEY
exec docker-entrypoint.sh mongod --replSet vouch --keyFile /tmp/replica-set.key --bind_ip_all
