curl -X DELETE "$REMIT_BASE_URL/v3/check/$PAYMENT" -H "Authorization: $REMIT_KEY:$REMIT_SECRET"
