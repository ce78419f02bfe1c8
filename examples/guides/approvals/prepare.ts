import { Remit } from 'remit-payments-sdk'

const remit = new Remit()
const approval = await remit.approvals.prepareDigital({
  amount: 125.5,
  name: 'Bob Recipient',
  recipient: 'bob@example.com',
})
console.log(approval.id, approval.status)
