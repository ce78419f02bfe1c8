import { Remit } from 'remit-payments-sdk'

const remit = new Remit()
for await (const payment of remit.payments.list({ direction: 'INCOMING' })) {
  console.log(payment.id, payment.status, payment.amount)
}
