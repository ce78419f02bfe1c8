import { Remit } from 'remit-payments-sdk'

const remit = new Remit()
for await (const payment of remit.payments.list({ direction: 'OUTGOING', status: 'UNPAID' })) {
  console.log(payment.number, payment.name, payment.amount)
}
