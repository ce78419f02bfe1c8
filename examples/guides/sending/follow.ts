import { Remit } from 'remit-payments-sdk'

const remit = new Remit()
const { entries } = await remit.payments.getTimeline(process.env.PAYMENT ?? '')
for (const { time, event, status } of entries) console.log(time, event, status)
