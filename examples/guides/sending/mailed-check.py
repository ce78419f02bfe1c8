from connection import client
from remit_client.api.payments import send_physical_check
from remit_client.models import PhysicalCheckRequest, PostalAddress

address = PostalAddress(line_1="1 Main St", city="Springfield", state="IL", zip_="62701")
order = PhysicalCheckRequest(amount=80, name="Bob Recipient", recipient=address)
check = send_physical_check.sync(client=client, body=order)
print(check.id, check.status)
