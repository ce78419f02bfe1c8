import { Remit } from 'remit-payments-sdk'

const remit = new Remit()
await remit.payments.void(process.env.PAYMENT ?? '')
