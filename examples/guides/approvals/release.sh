curl "$REMIT_BASE_URL/v3/approval/release" \
  -H "Authorization: $REMIT_KEY:$REMIT_SECRET" \
  -H 'Content-Type: application/json' \
  -d "{\"id\": \"$APPROVAL\"}"
