curl "$REMIT_BASE_URL/v3/check/deposit/$PAYMENT" \
  -H "Authorization: $REMIT_KEY:$REMIT_SECRET" \
  -H 'Content-Type: application/json' \
  -d "{\"account\": \"$BANK\"}"
