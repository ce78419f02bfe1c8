from connection import client
from remit_client.api.webhooks import create_webhook_endpoint
from remit_client.models import CreateWebhookEndpointRequest, CreateWebhookEndpointRequestEventTypesType0Item

types = CreateWebhookEndpointRequestEventTypesType0Item
request = CreateWebhookEndpointRequest(
    url="https://ledger.example/webhooks", event_types=[types.CHECK, types.BANK]
)
endpoint = create_webhook_endpoint.sync(client=client, body=request)
print(endpoint.id, endpoint.status)
