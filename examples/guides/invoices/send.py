from connection import client
from remit_client.api.invoices import send_invoice
from remit_client.models import InvoiceItem, SendInvoiceRequest

request = SendInvoiceRequest(
    amount=250,
    name="Carol Customer",
    recipient="carol@example.com",
    description="Painting of the office",
    items=[InvoiceItem(description="Painting", quantity=2.5, unit_price=100)],
)
invoice = send_invoice.sync(client=client, body=request)
print(invoice.id, invoice.status)
