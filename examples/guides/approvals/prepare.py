from connection import client
from remit_client.api.approvals import prepare_digital_payment
from remit_client.models import DigitalPaymentRequest

order = DigitalPaymentRequest(amount=125.50, name="Bob Recipient", recipient="bob@example.com")
approval = prepare_digital_payment.sync(client=client, body=order)
print(approval.id, approval.status)
