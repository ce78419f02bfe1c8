curl -X PUT "$REMIT_BASE_URL/v3/sandbox/clock" \
  -H "Authorization: $REMIT_KEY:$REMIT_SECRET" \
  -H 'Content-Type: application/json' \
  -d '{"advance": "P7D"}'
