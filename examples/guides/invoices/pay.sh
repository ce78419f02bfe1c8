curl "$REMIT_BASE_URL/v3/invoice/payment" \
  -H "Authorization: $REMIT_KEY:$REMIT_SECRET" \
  -H 'Content-Type: application/json' \
  -d "{\"id\": \"$INVOICE\", \"amount\": 250}"
