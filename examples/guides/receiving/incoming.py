from connection import client
from remit_client.api.payments import list_payments
from remit_client.models import ListPaymentsDirection

page = list_payments.sync(client=client, direction=ListPaymentsDirection.INCOMING)
for payment in page.checks:
    print(payment.id, payment.status, payment.amount)
