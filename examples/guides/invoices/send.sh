curl "$REMIT_BASE_URL/v3/invoice" \
  -H "Authorization: $REMIT_KEY:$REMIT_SECRET" \
  -H 'Content-Type: application/json' \
  -d '{
    "amount": 250,
    "name": "Carol Customer",
    "recipient": "carol@example.com",
    "description": "Painting of the office",
    "items": [{"description": "Painting", "quantity": 2.5, "unit_price": 100}]
  }'
