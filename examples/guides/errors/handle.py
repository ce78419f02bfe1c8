from connection import client
from remit_client.api.payments import send_digital_payment
from remit_client.models import DigitalPaymentRequest, Error

order = DigitalPaymentRequest(amount=-1, name="Bob Recipient", recipient="bob@example.com")
response = send_digital_payment.sync_detailed(client=client, body=order)
if isinstance(response.parsed, Error):
    print(response.status_code.value, response.parsed.code, response.parsed.errors.to_dict())
