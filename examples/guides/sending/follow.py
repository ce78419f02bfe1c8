import os

from connection import client
from remit_client.api.payments import get_payment_timeline

timeline = get_payment_timeline.sync(os.environ["PAYMENT"], client=client)
for entry in timeline.entries:
    print(entry.time, entry.event, entry.status)
