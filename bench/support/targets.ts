import type { Target } from '../load/load-job.ts'
import type { BenchUser, World } from './world.ts'

// The requests that the load generator sends.

const json = (authorization: string) => ({ authorization, 'content-type': 'application/json' })

const digital = (user: BenchUser, body: object): Target => ({
  method: 'POST',
  path: '/v3/check/digital',
  headers: json(user.authorization),
  body: JSON.stringify(body),
})

/** Each user pays the next one. */
const recipientOf = ({ users }: World, index: number) => users[(index + 1) % users.length] as BenchUser

const order = (index: number) => ({
  amount: 10 + (index % 90) + 0.25,
  name: `Customer ${index}`,
  description: `Invoice ${index}, services of the month`,
})

/** Each user sends a payment to another user of the platform. */
export const plainPayments = (world: World): Target[] =>
  world.users.map((user, index) => digital(user, { ...order(index), recipient: recipientOf(world, index).userId }))

/** Each user sends a payment that is deposited into a bank of another user. */
export const depositedPayments = (world: World): Target[] =>
  world.users.map((user, index) => {
    const { userId, bankId } = recipientOf(world, index)
    return digital(user, { ...order(index), recipient: { id: userId, account: bankId } })
  })

/** Each user sends a payment from wallet to wallet, which is paid at once. */
export const walletPayments = (world: World): Target[] =>
  world.users.map((user, index) => {
    const { userId, walletId } = recipientOf(world, index)
    return digital(user, { ...order(index), account: user.walletId, recipient: { id: userId, account: walletId } })
  })

const ROWS_OF_FILE = 1_500

/** Each user sends a file of 1,500 payments, by email and into bank accounts in turn. */
export const fileOfPayments = (world: World): Target[] =>
  world.users.slice(0, 20).map((user, sender) => ({
    ...digital(user, {
      file: Array.from({ length: ROWS_OF_FILE }, (_, index) => ({
        ...order(index),
        address: { type: 'email', address: `customer-${sender}-${index}@example.com` },
        ...(index % 2 === 1 && { account_number: String(7_000_000_000 + index), routing_number: '021000021' }),
      })),
    }),
    path: '/v3/check/csv',
  }))

/** Files of a payroll: payments into the bank accounts of people without a user, up to 1,500 in each file. The users send them in turn. */
export const payrollFiles = ({ users }: World, payments: number): Target[] =>
  Array.from({ length: Math.ceil(payments / ROWS_OF_FILE) }, (_, file) => ({
    ...digital(users[file % users.length] as BenchUser, {
      file: Array.from({ length: Math.min(ROWS_OF_FILE, payments - file * ROWS_OF_FILE) }, (_, index) => ({
        ...order(index),
        address: { type: 'email', address: `employee-${file}-${index}@example.com` },
        ...{ account_number: String(7_000_000_000 + file * ROWS_OF_FILE + index), routing_number: '021000021' },
      })),
    }),
    path: '/v3/check/csv',
  }))

export const read = (authorization: string, path: string): Target => ({
  method: 'GET',
  path,
  headers: { authorization },
})

const ADDRESS = { line_1: '1 Main Street', city: 'Springfield', state: 'IL', zip: '62701', country: 'US' }

/** Each user sends paper checks by mail, from its wallet. */
export const mailedChecks = (world: World): Target[] =>
  world.users.map((user, index) => ({
    ...digital(user, { ...order(index), recipient: ADDRESS, account: user.walletId }),
    path: '/v3/check/physical',
  }))

/** Each user sends paper checks by mail. */
export const paperPayments = (world: World): Target[] =>
  world.users.map((user, index) => ({
    ...digital(user, { ...order(index), recipient: ADDRESS }),
    path: '/v3/check/physical',
  }))
