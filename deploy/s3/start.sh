#!/bin/sh
# Starts the S3 server with its secret key from a file. Arguments are passed on to versitygw.
set -eu
ROOT_SECRET_KEY=$(cat "${S3_SECRET_KEY_FILE:-/run/secrets/s3_secret_key}")
export ROOT_SECRET_KEY
# The image has the program outside of PATH in some versions.
PATH="$PATH:/usr/local/bin:/app"
exec versitygw "$@"
