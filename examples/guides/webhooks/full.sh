curl "$REMIT_BASE_URL/v3/webhook/endpoint" \
  -H "Authorization: $REMIT_KEY:$REMIT_SECRET" \
  -H 'Content-Type: application/json' \
  -d '{"url": "https://ledger.example/full-webhooks", "body_format": "FULL"}'
