import os

from connection import client
from remit_client.api.approvals import release_approval
from remit_client.models import ReleaseApprovalRequest

payment = release_approval.sync(client=client, body=ReleaseApprovalRequest(id=os.environ["APPROVAL"]))
print(payment.id, payment.status)
