curl "$REMIT_BASE_URL/v3/check/digital" \
  -H "Authorization: $REMIT_KEY:$REMIT_SECRET" \
  -H 'Content-Type: application/json' \
  -H 'Idempotency-Key: order-4711' \
  -d '{"amount": 125.50, "name": "Bob Recipient", "recipient": "bob@example.com", "description": "Order 4711"}'
