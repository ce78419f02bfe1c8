#!/bin/sh
# Run once by the image of PostgreSQL in an empty volume. The owner migrates. The service reads and writes rows.
set -eu
psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres \
  --set owner_password="$REMIT_OWNER_PASSWORD" --set service_password="$REMIT_SERVICE_PASSWORD" <<'SQL'
create role remit_owner login password :'owner_password';
create role remit_service login password :'service_password';
create database remit owner remit_owner;
SQL
