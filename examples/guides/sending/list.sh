curl "$REMIT_BASE_URL/v3/check?direction=OUTGOING&status=UNPAID" -H "Authorization: $REMIT_KEY:$REMIT_SECRET"
