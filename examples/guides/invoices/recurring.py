from connection import client
from remit_client.api.subscriptions import create_payment_subscription
from remit_client.models import CreatePaymentSubscriptionRequest, CreatePaymentSubscriptionRequestInterval

request = CreatePaymentSubscriptionRequest(
    amount=1850,
    name="Elm Street Properties",
    recipient="rent@elmstreet.example",
    description="Rent",
    interval=CreatePaymentSubscriptionRequestInterval.MONTHLY,
    duration=12,
)
subscription = create_payment_subscription.sync(client=client, body=request)
print(subscription.id, subscription.interval)
