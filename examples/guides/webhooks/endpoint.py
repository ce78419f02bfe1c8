from connection import client
from remit_client.api.webhooks import create_webhook_endpoint
from remit_client.models import CreateWebhookEndpointRequest, EventType

request = CreateWebhookEndpointRequest(
    url="https://ledger.example/webhooks", event_types=[EventType.CHECK, EventType.BANK]
)
endpoint = create_webhook_endpoint.sync(client=client, body=request)
print(endpoint.id, endpoint.status)
