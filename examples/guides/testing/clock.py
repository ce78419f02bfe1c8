from connection import client
from remit_client.api.sandbox import advance_clock
from remit_client.models import AdvanceClockRequest

clock = advance_clock.sync(client=client, body=AdvanceClockRequest(advance="P7D"))
print(clock.status, clock.target)
