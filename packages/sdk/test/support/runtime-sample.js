// Run by sdk-runtimes.ts in an empty project, on each runtime.
import { ApiError, Remit, webhooks } from 'remit-payments-sdk'

const [baseUrl, key, secret] = (globalThis.Deno?.args ?? process.argv.slice(2)).slice(0, 3)
const owner = new Remit({ baseUrl, key, secret })
const user = await owner.users.create({ user_id: `user-${crypto.randomUUID()}`, name: 'Alice Sender' })
const alice = owner.as(user)
const bank = await alice.banks.add({ routing: '021000021', account: '1234567890', type: 'CHECKING' })
await alice.banks.release(bank.id)
await alice.banks.verify({ account: bank.id, amount_1: 0.07, amount_2: 0.15 })
const attachment = new File([new Uint8Array([255, 216, 255])], 'scan.jpg')
const order = { amount: 12.5, name: 'Bob', recipient: 'bob@example.com' }
const refused = await alice.payments.sendDigital({ ...order, attachment }).catch((error) => error)
if (!(refused instanceof ApiError) || refused.code !== 'invalid_attachment') throw refused
const payment = await alice.payments.sendDigital(order)
await alice.sandbox.setPaymentStatus(payment.id, { status: 'PAID' })
const paid = await alice.payments.list({ status: 'PAID', per_page: 10 }).toArray()
const receipt = await alice.payments.downloadReceipt(payment.id)
const body = '{"status": "PAID", "id": "ed0af5fb335c47dd8eb53199ba50f5c4", "type": "CHECK"}'
const signature = 'nonce=1243549809,signature=4ee9758fc0bceb3ca1a2fe397fbd125364cfffdb04296fa118dab9778a4b3ce3'
const webhookKey = '335b5728e25b47e88995fce207bff380'
const { event } = await webhooks.verify(body, new Headers({ signature }), webhookKey, { scheme: 'nonce' })
console.log(JSON.stringify([paid.map(({ id }) => id === payment.id), receipt.type, event.status]))
