import { Remit } from 'remit-payments-sdk'

const remit = new Remit()
const invoice = await remit.invoices.send({
  amount: 250,
  name: 'Carol Customer',
  recipient: 'carol@example.com',
  description: 'Painting of the office',
  items: [{ description: 'Painting', quantity: 2.5, unit_price: 100 }],
})
console.log(invoice.id, invoice.status)
