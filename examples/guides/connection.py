import os

from remit_client import AuthenticatedClient


def connect(key: str, secret: str) -> AuthenticatedClient:
    return AuthenticatedClient(base_url=os.environ["REMIT_BASE_URL"], token=f"{key}:{secret}", prefix="")


client = connect(os.environ["REMIT_KEY"], os.environ["REMIT_SECRET"])
