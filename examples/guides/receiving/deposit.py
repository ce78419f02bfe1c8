import os

from connection import client
from remit_client.api.payments import deposit_payment
from remit_client.models import AccountRequest

body = AccountRequest(account=os.environ["BANK"])
payment = deposit_payment.sync(os.environ["PAYMENT"], client=client, body=body)
print(payment.status)
