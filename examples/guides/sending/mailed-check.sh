curl "$REMIT_BASE_URL/v3/check/physical" \
  -H "Authorization: $REMIT_KEY:$REMIT_SECRET" \
  -H 'Content-Type: application/json' \
  -d '{
    "amount": 80,
    "name": "Bob Recipient",
    "recipient": {"line_1": "1 Main St", "city": "Springfield", "state": "IL", "zip": "62701"}
  }'
