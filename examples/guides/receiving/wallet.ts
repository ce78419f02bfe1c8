import { Remit } from 'remit-payments-sdk'

const remit = new Remit()
const wallet = await remit.wallets.create({ name: 'Payouts' })
console.log(wallet.id, wallet.name)
