import { Remit } from 'remit-payments-sdk'

const remit = new Remit()
const order = { amount: 125.5, name: 'Bob Recipient', recipient: 'bob@example.com' }
const first = await remit.payments.sendDigital(order, { idempotencyKey: 'invoice-42' })
const second = await remit.payments.sendDigital(order, { idempotencyKey: 'invoice-42' })
console.log(first.id, second.id)
