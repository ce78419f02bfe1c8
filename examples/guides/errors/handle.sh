curl "$REMIT_BASE_URL/v3/check/digital" \
  -H "Authorization: $REMIT_KEY:$REMIT_SECRET" \
  -H 'Content-Type: application/json' \
  -d '{"amount": -1, "name": "Bob Recipient", "recipient": "bob@example.com"}'
