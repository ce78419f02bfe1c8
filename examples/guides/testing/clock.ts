import { Remit } from 'remit-payments-sdk'

const owner = new Remit()
const clock = await owner.sandbox.advanceClock({ advance: 'P7D' })
console.log(clock.status, clock.target)
