import { Remit } from 'remit-payments-sdk'

const remit = new Remit()
const check = await remit.payments.sendPhysical({
  amount: 80,
  name: 'Bob Recipient',
  recipient: { line_1: '1 Main St', city: 'Springfield', state: 'IL', zip: '62701' },
})
console.log(check.id, check.status)
