import { Remit } from 'remit-payments-sdk'

const remit = new Remit()
const { PAYMENT = '', BANK = '' } = process.env
const payment = await remit.payments.deposit(PAYMENT, { account: BANK })
console.log(payment.status)
