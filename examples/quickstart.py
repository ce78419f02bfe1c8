import hashlib, hmac, json, os, re, threading, time
from http.server import BaseHTTPRequestHandler, HTTPServer

from remit_client import AuthenticatedClient, models
from remit_client.api.api_keys import create_api_key
from remit_client.api.banks import add_bank, release_bank, verify_bank
from remit_client.api.payments import list_payments, send_digital_payment
from remit_client.api.sandbox import trigger_payment_status
from remit_client.api.users import create_user, update_profile

connect = lambda key, secret: AuthenticatedClient(base_url=os.environ["REMIT_BASE_URL"], token=f"{key}:{secret}", prefix="")
owner = connect(os.environ["REMIT_KEY"], os.environ["REMIT_SECRET"])
user = create_user.sync(client=owner, body=models.CreateUserRequest(user_id=f"alice-{time.time_ns()}", name="Alice Sender"))
alice = connect(user.key, user.secret)

# The micro-deposits of the sandbox are always 0.07 and 0.15.
account = models.BankRequest(routing="021000021", account="1234567890", type_=models.BankRequestType.CHECKING)
bank = add_bank.sync(client=alice, body=account)
release_bank.sync(client=alice, body=models.AccountRequest(account=bank.id))
verify_bank.sync(client=alice, body=models.MicroDepositAmounts(account=bank.id, amount_1=0.07, amount_2=0.15))

webhook_key = create_api_key.sync(client=alice, body=models.ApiKeyRequest(name="Quickstart")).webhook_key
paid = threading.Event()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))  # as it arrived: the signature covers these bytes
        nonce, signature = re.fullmatch(r"nonce=(\d+),signature=(\w+)", self.headers.get("signature", "")).groups()
        digest = hmac.new(webhook_key.encode(), body + nonce.encode(), hashlib.sha256).hexdigest()
        self.send_response(204 if hmac.compare_digest(digest, signature) else 401)
        self.end_headers()
        if hmac.compare_digest(digest, signature) and json.loads(body)["status"] == "PAID":
            paid.set()


server = HTTPServer(("localhost", 0), Receiver)
threading.Thread(target=server.serve_forever, daemon=True).start()
developer = models.UpdateProfileRequestDeveloper(webhook_uri=f"http://localhost:{server.server_port}/webhooks")
update_profile.sync(client=alice, body=models.UpdateProfileRequest(developer=developer))

order = models.DigitalPaymentRequest(amount=125.50, name="Bob Recipient", recipient="bob@example.com")
check = send_digital_payment.sync(client=alice, body=order)
trigger_payment_status.sync(check.id, client=alice, body=models.TriggerPaymentStatusRequest.from_dict({"status": "PAID"}))
paid.wait(timeout=60)
for payment in list_payments.sync(client=alice, status=models.ListPaymentsStatus.PAID).checks:
    print(f"paid: ${payment.amount} to {payment.name}")
