import { Remit } from 'remit-payments-sdk'

const remit = new Remit()
const payment = await remit.invoices.pay({ id: process.env.INVOICE ?? '', amount: 250 })
console.log(payment.id, payment.status)
