curl "$REMIT_BASE_URL/v3/subscription/check" \
  -H "Authorization: $REMIT_KEY:$REMIT_SECRET" \
  -H 'Content-Type: application/json' \
  -d '{
    "amount": 1850,
    "name": "Elm Street Properties",
    "recipient": "rent@elmstreet.example",
    "description": "Rent",
    "interval": "MONTHLY",
    "duration": 12
  }'
