from connection import client
from remit_client.api.webhooks import replay_failed_webhooks
from remit_client.models import ReplayFailedWebhooksRequest

result = replay_failed_webhooks.sync(client=client, body=ReplayFailedWebhooksRequest(since="2026-03-01 00:00:00"))
print("replayed", result.replayed)
