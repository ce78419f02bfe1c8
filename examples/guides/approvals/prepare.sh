curl "$REMIT_BASE_URL/v3/approval/digital" \
  -H "Authorization: $REMIT_KEY:$REMIT_SECRET" \
  -H 'Content-Type: application/json' \
  -d '{"amount": 125.50, "name": "Bob Recipient", "recipient": "bob@example.com"}'
