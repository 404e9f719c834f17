#!/bin/sh
# Creates the namespace if it does not exist; closed workflows are retained for a week.
set -eu
if ! temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1; then
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention 7d
fi
