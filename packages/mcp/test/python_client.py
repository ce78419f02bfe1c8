"""Lists the tools of the MCP server and calls two of them with the official Python client. Arguments: node, the program."""

import asyncio
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main() -> None:
    names = ("REMIT_BASE_URL", "REMIT_KEY", "REMIT_SECRET", "PATH")
    env = {name: os.environ[name] for name in names}
    arguments = [sys.argv[2], "--allow-writes"]
    server = StdioServerParameters(command=sys.argv[1], args=arguments, env=env)
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        tools = (await session.list_tools()).tools
        print("tools:", len(tools))
        reading = [tool.name for tool in tools if tool.annotations and tool.annotations.read_only_hint]
        print("reading:", len(reading))
        explained = await session.call_tool("explain_code", {"code": "R01"})
        print("explain_code:", "error" if explained.is_error else "ok")
        order = {"name": "Bob", "recipient": "bob@example.com", "amount": 12.5, "reference": "python"}
        drafted = [await session.call_tool("draft_payment", order) for _ in range(2)]
        same = drafted[0].content[0].text == drafted[1].content[0].text
        print("draft_payment:", "same" if same and not drafted[0].is_error else drafted)
        refused = await session.call_tool("call_operation", {"operation_id": "sendDigitalPayment"})
        print("call_operation:", "refused" if refused.is_error else "called")


asyncio.run(main())
