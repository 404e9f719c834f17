#!/bin/sh
# Starts Temporal with the password of PostgreSQL from its file.
set -eu
POSTGRES_PWD=$(cat "${POSTGRES_PASSWORD_FILE:-/run/secrets/postgres_password}")
export POSTGRES_PWD
exec /etc/temporal/entrypoint.sh
