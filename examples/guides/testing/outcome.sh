curl -X PUT "$REMIT_BASE_URL/v3/check/webhook/$PAYMENT" \
  -H "Authorization: $REMIT_KEY:$REMIT_SECRET" \
  -H 'Content-Type: application/json' \
  -d '{"status": "FAILED", "options": {"return_code": "R01"}}'

curl "$REMIT_BASE_URL/v3/check/$PAYMENT/fail" -H "Authorization: $REMIT_KEY:$REMIT_SECRET"
