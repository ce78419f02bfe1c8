import { Remit } from 'remit-payments-sdk'

const remit = new Remit()
const payment = await remit.approvals.release({ id: process.env.APPROVAL ?? '' })
console.log(payment.id, payment.status)
