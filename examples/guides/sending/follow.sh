curl "$REMIT_BASE_URL/v3/payment/$PAYMENT/timeline" -H "Authorization: $REMIT_KEY:$REMIT_SECRET"
