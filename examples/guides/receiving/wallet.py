from connection import client
from remit_client.api.wallets import create_wallet
from remit_client.models import CreateWalletRequest

wallet = create_wallet.sync(client=client, body=CreateWalletRequest(name="Payouts"))
print(wallet.id, wallet.name)
