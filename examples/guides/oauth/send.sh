curl "$REMIT_BASE_URL/v3/check/digital" \
  -H "Authorization: Bearer $ACCESS_TOKEN" \
  -H 'Content-Type: application/json' \
  -d '{"amount": 12.50, "name": "Bob Recipient", "recipient": "bob@example.com"}'
