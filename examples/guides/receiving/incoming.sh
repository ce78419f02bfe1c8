curl "$REMIT_BASE_URL/v3/check?direction=INCOMING" -H "Authorization: $REMIT_KEY:$REMIT_SECRET"
