curl "$REMIT_BASE_URL/v3/account/wallet" \
  -H "Authorization: $REMIT_KEY:$REMIT_SECRET" \
  -H 'Content-Type: application/json' \
  -d '{"name": "Payouts"}'
