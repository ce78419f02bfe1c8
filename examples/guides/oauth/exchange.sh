curl "$REMIT_BASE_URL/web/v1/auth/oauth/token" \
  -H 'Content-Type: application/x-www-form-urlencoded' \
  -d "grant_type=authorization_code&code=$CODE&redirect_uri=$REDIRECT_URI&scope=check&client_id=$CLIENT_ID&client_secret=$CLIENT_SECRET"
