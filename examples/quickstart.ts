import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Remit, webhooks } from 'remit-payments-sdk'

const owner = new Remit() // reads REMIT_KEY and REMIT_SECRET
const alice = owner.as(await owner.users.create({ user_id: `alice-${Date.now()}`, name: 'Alice Sender' }))

// The micro-deposits of the sandbox are always 0.07 and 0.15.
const bank = await alice.banks.add({ routing: '021000021', account: '1234567890', type: 'CHECKING' })
await alice.banks.release(bank.id)
await alice.banks.verify({ account: bank.id, amount_1: 0.07, amount_2: 0.15 })

const { webhook_key: webhookKey } = await alice.apiKeys.create({ name: 'Quickstart' })
const server = createServer().listen(0, 'localhost')
await once(server, 'listening')
const paid = new Promise<void>((resolve) => {
  server.on('request', async (request, response) => {
    const body = await text(request) // as it arrived, because the signature covers these bytes
    const verified = await webhooks.verify(body, request.headers, webhookKey).catch(() => null)
    response.writeHead(verified ? 204 : 401).end()
    const event = verified?.event
    if (event?.type === 'CHECK') console.log(`webhook: ${event.status}`)
    if (event?.type === 'CHECK' && event.status === 'PAID') resolve()
  })
})
const { port } = server.address() as AddressInfo
await alice.profile.update({ developer: { webhook_uri: `http://localhost:${port}/webhooks` } })

const check = await alice.payments.sendDigital({ amount: 125.5, name: 'Bob Recipient', recipient: 'bob@example.com' })
await alice.sandbox.setPaymentStatus(check.id, { status: 'PAID' })
await paid
server.close()

for await (const payment of alice.payments.list({ status: 'PAID' })) {
  console.log(`paid: $${payment.amount} to ${payment.name}`)
}
