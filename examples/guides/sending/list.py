from connection import client
from remit_client.api.payments import list_payments
from remit_client.models import ListPaymentsDirection, ListPaymentsStatus

page = list_payments.sync(
    client=client, direction=ListPaymentsDirection.OUTGOING, status=ListPaymentsStatus.UNPAID
)
for payment in page.checks:
    print(payment.number, payment.name, payment.amount)
