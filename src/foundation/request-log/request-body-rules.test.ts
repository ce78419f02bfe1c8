import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskBody } from './request-body-rules.ts'

const ID = '019caf1031807502b58b4f8871e7d421'

const rows: [what: string, body: unknown, kept: unknown][] = [
  [
    'a payment',
    { amount: 12.5, name: 'Ann', recipient: 'ann@example.com', deposit_options: ['BANK', 'MAIL'], number: 'INV-7' },
    { amount: 12.5, name: 'Ann', recipient: 'ann@example.com', deposit_options: ['BANK', 'MAIL'], number: 'INV-7' },
  ],
  [
    'a bank account',
    { routing: '021000021', account: '640193827465', type: 'CHECKING', name: 'Ours' },
    { routing: '****', account: '****', type: 'CHECKING', name: 'Ours' },
  ],
  ['the id of an account', { account: ID, recipient: { id: ID } }, { account: ID, recipient: { id: ID } }],
  ['an id in another field', { password: ID }, { password: '****' }],
  [
    'a card',
    { card_number: '4242424242424242', cvv: '123', expiration_date: '2030-01', address: { zip: '94105-1234' } },
    { card_number: '****', cvv: '****', expiration_date: '2030-01', address: { zip: '94105-1234' } },
  ],
  ['micro-deposits', { amount_1: 0.07, amount_2: 0.15 }, { amount_1: '****', amount_2: '****' }],
  ['a PIN', { pin: { description: 'your dog', value: '1234' } }, { pin: { description: 'your dog', value: '****' } }],
  ['an SSN', { user: { ssn: '123456789', dob: '1986-04-12' } }, { user: { ssn: '****', dob: '****' } }],
  ['the URL of a webhook', { url: 'https://a.example/?token=x' }, { url: '****' }],
  [
    'numbers in a text',
    { description: 'to 640193827465, then 64 0193 8274-65. Rent 2026, unit 12' },
    { description: 'to ****, then ****. Rent 2026, unit 12' },
  ],
  [
    'an account number as a number',
    { number: 640193827465, account: 640193827465 },
    { number: '****', account: '****' },
  ],
  ['a field that does not exist', { acount_number: 'x', name: 1234567 }, { acount_number: '****', name: '****' }],
  ['a number as the name of a field', { '640193827465': true, constructor: null }, { '****': true, constructor: null }],
  ['a list', [{ amount: 1, account_number: '640193827465' }], [{ amount: 1, account_number: '****' }]],
  ['a value of its own', '640193827465', '****'],
  ['nothing', { attachment: null, all: true }, { attachment: null, all: true }],
]

for (const [what, body, kept] of rows) {
  test(`of ${what}, no secret is kept`, () => assert.deepEqual(maskBody(body), kept))
}
