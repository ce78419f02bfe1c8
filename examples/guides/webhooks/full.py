from connection import client
from remit_client.api.webhooks import create_webhook_endpoint
from remit_client.models import BodyFormat, CreateWebhookEndpointRequest

request = CreateWebhookEndpointRequest(
    url="https://ledger.example/full-webhooks", body_format=BodyFormat.FULL
)
endpoint = create_webhook_endpoint.sync(client=client, body=request)
print(endpoint.id, endpoint.body_format)
