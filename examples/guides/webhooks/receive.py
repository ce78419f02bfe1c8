import hashlib
import hmac
import os
import re


def is_authentic(body: bytes, signature: str, key: str) -> bool:
    """Checks the header `signature` of the bytes as they arrived."""
    match = re.fullmatch(r"nonce=(\d+),signature=([0-9a-f]{64})", signature)
    if match is None:
        return False
    digest = hmac.new(key.encode(), body + match[1].encode(), hashlib.sha256).hexdigest()
    return hmac.compare_digest(digest, match[2])


def handle(body: bytes, headers: dict[str, str]) -> int:
    """Returns the status of the response."""
    return 204 if is_authentic(body, headers.get("signature", ""), os.environ["WEBHOOK_KEY"]) else 401
