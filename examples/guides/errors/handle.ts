import { ApiError, ConnectionError, Remit } from 'remit-payments-sdk'

const remit = new Remit()
try {
  await remit.payments.sendDigital({ amount: -1, name: 'Bob Recipient', recipient: 'bob@example.com' })
} catch (error) {
  if (error instanceof ApiError) console.log(error.status, error.code, error.fields, error.requestId)
  else if (error instanceof ConnectionError) console.log('The outcome is unknown. Repeat with', error.idempotencyKey)
  else throw error
}
