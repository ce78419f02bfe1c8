import { Remit } from 'remit-payments-sdk'

const remit = new Remit()
const { replayed } = await remit.webhookDeliveries.replayFailed({ since: '2026-03-01 00:00:00' })
console.log('replayed', replayed)
