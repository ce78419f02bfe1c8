from connection import client
from remit_client.api.payments import send_direct_payment
from remit_client.models import SendDirectPaymentRequest, SendDirectPaymentRequestAccountType

order = SendDirectPaymentRequest(
    amount=40,
    name="Dana Supplier",
    recipient="dana@example.com",
    routing_number="021000021",
    account_number="640193827473",
    account_type=SendDirectPaymentRequestAccountType.CHECKING,
)
payment = send_direct_payment.sync(client=client, body=order)
print(payment.id, payment.status)
