import os

from connection import client
from remit_client.api.invoices import pay_invoice
from remit_client.models import InvoicePaymentRequest

request = InvoicePaymentRequest(id=os.environ["INVOICE"], amount=250)
payment = pay_invoice.sync(client=client, body=request)
print(payment.id, payment.status)
