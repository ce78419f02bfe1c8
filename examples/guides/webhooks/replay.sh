curl "$REMIT_BASE_URL/v3/webhook/replay" \
  -H "Authorization: $REMIT_KEY:$REMIT_SECRET" \
  -H 'Content-Type: application/json' \
  -d '{"since": "2026-03-01 00:00:00"}'
