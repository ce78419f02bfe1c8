"""Calls the generated client: one line of JSON for each call, and one for its result (python-client.ts)."""

import datetime
import enum
import importlib
import inspect
import json
import pkgutil
import sys
import traceback
import typing

import remit_client.api
from remit_client import AuthenticatedClient, Client
from remit_client.types import UNSET


def word_of(name):
    return "".join(letter for letter in name if letter.isalnum()).lower()


def find_operations():
    found = {}
    for module in pkgutil.walk_packages(remit_client.api.__path__, "remit_client.api."):
        if not module.ispkg:
            found[word_of(module.name.rsplit(".", 1)[1])] = module.name
    return found


OPERATIONS = find_operations()


def convert(value, hint):
    """Converts a text of a query to the type of its parameter."""
    for option in typing.get_args(hint) or [hint]:
        if isinstance(option, type) and issubclass(option, enum.Enum):
            base = int if issubclass(option, int) else str
            return option(base(value))
        if option is datetime.date:
            return datetime.date.fromisoformat(value)
        if option in (int, float):
            return option(value)
    return value


def body_of(value, hint):
    for option in typing.get_args(hint) or [hint]:
        if hasattr(option, "from_dict"):
            body = option.from_dict(value)
            expect_same(body.to_dict(), value, "the request")
            return body
    raise TypeError(f"no class for the body: {hint}")


def expect_same(read, sent, what):
    if json.dumps(read, sort_keys=True, default=str) != json.dumps(sent, sort_keys=True):
        raise ValueError(f"{what} was read as {read}, but is {sent}")


def call(given):
    module = importlib.import_module(OPERATIONS[word_of(given["operationId"])])
    hints = typing.get_type_hints(module.sync_detailed)
    names = {word_of(name): name for name in inspect.signature(module.sync_detailed).parameters}
    arguments = {names[word_of(name)]: value for name, value in given["path"].items()}
    for name, value in given["query"].items():
        arguments[names[word_of(name)]] = convert(value, hints[names[word_of(name)]])
    if "body" in given:
        arguments["body"] = body_of(given["body"], hints["body"])
    options = {"base_url": given["baseUrl"], "raise_on_unexpected_status": True}
    if given["credential"]:
        client = AuthenticatedClient(token=given["credential"], prefix="", **options)
    else:
        client = Client(**options)
    response = module.sync_detailed(client=client, **arguments)
    status = response.status_code.value
    if "json" not in response.headers.get("content-type", ""):
        return {"status": status, "body": None}
    body = json.loads(response.content)
    if response.parsed is None:
        raise ValueError(f"the response {status} was not read: {body}")
    expect_same(response.parsed.to_dict(), body, "the response")
    return {"status": status, "body": body}


for line in sys.stdin:
    try:
        result = call(json.loads(line))
    except Exception:
        result = {"problem": traceback.format_exc()}
    print(json.dumps(result), flush=True)
