import { Remit } from 'remit-payments-sdk'

const remit = new Remit()
const endpoint = await remit.webhookEndpoints.create({
  url: 'https://ledger.example/full-webhooks',
  body_format: 'FULL',
})
console.log(endpoint.id, endpoint.body_format)
