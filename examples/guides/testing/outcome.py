import os

from connection import client
from remit_client.api.payments import get_payment_failure
from remit_client.api.sandbox import trigger_payment_status
from remit_client.models import TriggerPaymentStatusRequest

request = TriggerPaymentStatusRequest.from_dict({"status": "FAILED", "options": {"return_code": "R01"}})
trigger_payment_status.sync(os.environ["PAYMENT"], client=client, body=request)
print(get_payment_failure.sync(os.environ["PAYMENT"], client=client).code)
