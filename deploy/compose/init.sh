#!/bin/sh
# Writes .env for compose.yaml, with random passwords and a random master key. Keeps an .env that exists.
#   sh deploy/compose/init.sh               sandbox, with a mail catcher
#   sh deploy/compose/init.sh production https://pay.example.com
set -eu
environment=${1:-sandbox}
file=${REMIT_ENV_FILE:-.env}

case $environment in
  sandbox) ;;
  production)
    case ${2:-} in
      https://?*) ;;
      *) echo "Name the public URL: sh deploy/compose/init.sh production https://pay.example.com" >&2; exit 1 ;;
    esac ;;
  *) echo "The environment must be sandbox or production, not $environment." >&2; exit 1 ;;
esac
if [ -e "$file" ]; then
  echo "$file exists. It was not changed."
  exit 0
fi

password() { openssl rand -hex 24; }
umask 077
{
  echo "REMIT_ENVIRONMENTS=$environment"
  echo "POSTGRES_PASSWORD=$(password)"
  echo "REMIT_OWNER_PASSWORD=$(password)"
  echo "REMIT_SERVICE_PASSWORD=$(password)"
  echo "REMIT_MASTER_KEYS=k1:$(openssl rand -base64 32)"
  if [ "$environment" = production ]; then
    echo "REMIT_PRODUCTION_BASE_URL=$2"
    echo "REMIT_TRUST_PROXY=true"
  else
    echo "COMPOSE_PROFILES=sandbox"
    echo "SMTP_URL=smtp://mail:1025"
    echo "SMTP_ALLOW_PLAINTEXT=true"
    echo "REMIT_MAIL_FROM='Remit <remit@example.com>'"
  fi
} > "$file.draft"
mv "$file.draft" "$file"
echo "$file was written. Back up REMIT_MASTER_KEYS apart from the database."
