import { Remit } from 'remit-payments-sdk'

const remit = new Remit()
const subscription = await remit.subscriptions.createPayment({
  amount: 1850,
  name: 'Elm Street Properties',
  recipient: 'rent@elmstreet.example',
  description: 'Rent',
  interval: 'MONTHLY',
  duration: 12,
})
console.log(subscription.id, subscription.interval)
