from connection import client
from remit_client.api.payments import send_digital_payment
from remit_client.models import DigitalPaymentRequest

order = DigitalPaymentRequest(amount=125.50, name="Bob Recipient", recipient="bob@example.com")
first = send_digital_payment.sync(client=client, body=order, idempotency_key="invoice-42")
second = send_digital_payment.sync(client=client, body=order, idempotency_key="invoice-42")
print(first.id, second.id)
