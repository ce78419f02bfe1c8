import { Remit } from 'remit-payments-sdk'

const remit = new Remit()
const payment = await remit.payments.sendDirect({
  amount: 40,
  name: 'Dana Supplier',
  recipient: 'dana@example.com',
  routing_number: '021000021',
  account_number: '640193827473',
  account_type: 'CHECKING',
})
console.log(payment.id, payment.status)
