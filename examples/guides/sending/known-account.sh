curl "$REMIT_BASE_URL/v3/check/direct" \
  -H "Authorization: $REMIT_KEY:$REMIT_SECRET" \
  -H 'Content-Type: application/json' \
  -d '{
    "amount": 40,
    "name": "Dana Supplier",
    "recipient": "dana@example.com",
    "routing_number": "021000021",
    "account_number": "640193827473",
    "account_type": "CHECKING"
  }'
