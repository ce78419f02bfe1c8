import os

from connection import client
from remit_client.api.payments import void_payment

void_payment.sync(os.environ["PAYMENT"], client=client)
