#!/bin/bash
# Initiates a replica set with one member if there is none; transactions and change streams need a replica set.
set -euo pipefail
mongosh --quiet --host mongo --username vouch --password "$MONGO_PASSWORD" --authenticationDatabase admin --eval '
  try {
    rs.status();
  } catch (error) {
    if (error.codeName !== "NotYetInitialized") throw error;
    rs.initiate({ _id: "vouch", members: [{ _id: 0, host: "mongo:27017" }] });
  }
  while (!db.hello().isWritablePrimary) sleep(200);
'
