for try in 1 2; do
  curl "$REMIT_BASE_URL/v3/check/digital" \
    -H "Authorization: $REMIT_KEY:$REMIT_SECRET" \
    -H 'Content-Type: application/json' \
    -H 'Idempotency-Key: invoice-42' \
    -d '{"amount": 125.50, "name": "Bob Recipient", "recipient": "bob@example.com"}'
done
