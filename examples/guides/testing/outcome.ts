import { Remit } from 'remit-payments-sdk'

const remit = new Remit()
const payment = process.env.PAYMENT ?? ''
await remit.sandbox.setPaymentStatus(payment, { status: 'FAILED', options: { return_code: 'R01' } })
const { code } = await remit.payments.getFailure(payment)
console.log(code)
