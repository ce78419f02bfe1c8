api() { curl -s "$REMIT_BASE_URL$1" -H "Authorization: $2" -H 'Content-Type: application/json' "${@:3}"; }
field() { node -p "JSON.parse(fs.readFileSync(0, 'utf8')).$1"; }

# 1. Create a user, who gets its own key.
user=$(api /v3/user "$REMIT_KEY:$REMIT_SECRET" -d "{\"user_id\": \"alice-$RANDOM$RANDOM\", \"name\": \"Alice Sender\"}")
alice="$(field key <<< "$user"):$(field secret <<< "$user")"

# 2. Verify a bank account. The micro-deposits of the sandbox are always 0.07 and 0.15.
bank=$(api /v3/bank "$alice" -d '{"routing": "021000021", "account": "1234567890", "type": "CHECKING"}' | field id)
api /v3/bank/release "$alice" -d "{\"account\": \"$bank\"}" > /dev/null
api /v3/bank/verify "$alice" -d "{\"account\": \"$bank\", \"amount_1\": 0.07, \"amount_2\": 0.15}" > /dev/null

# 3. Send a check, and let the sandbox pay it.
check=$(api /v3/check/digital "$alice" -d '{"amount": 125.50, "name": "Bob Recipient", "recipient": "bob@example.com"}' | field id)
api "/v3/check/webhook/$check" "$alice" -X PUT -d '{"status": "PAID"}'

# 4. List the paid payments.
api '/v3/check?status=PAID' "$alice"
