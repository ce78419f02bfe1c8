import { Remit } from 'remit-payments-sdk'

const remit = new Remit()
const payment = await remit.payments.sendDigital({
  amount: 125.5,
  name: 'Bob Recipient',
  recipient: 'bob@example.com',
  description: 'Order 4711',
})
console.log(payment.id, payment.status)
