import { Remit } from 'remit-payments-sdk'

const remit = new Remit()
const endpoint = await remit.webhookEndpoints.create({
  url: 'https://ledger.example/webhooks',
  event_types: ['CHECK', 'BANK'],
})
console.log(endpoint.id, endpoint.status)
