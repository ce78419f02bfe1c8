import type { Scope } from './answers.ts'

type Permission = { text: string; routes: readonly string[] }

type Words = {
  /** Everything that the scope gives, before it is authorized. `test/scope-words.test.ts` compares it with what the API allows. */
  permissions: readonly Permission[]
  detail: string
  granted: string
}

const ways = ['digital', 'physical', 'multi', 'direct', 'preview'].map((way) => `POST /v3/check/${way}`)

const reading: readonly Permission[] = [
  {
    text: 'See the payments that it sent, with their attachments and what became of them',
    routes: [
      'GET /v3/check',
      'GET /v3/check/:id',
      'GET /v3/check/:id/deposit',
      'GET /v3/check/:id/fail',
      'GET /v3/check/:id/tracking',
      'GET /v3/check/:id/attachment',
    ],
  },
  {
    text: 'See your profile: names, address, phone, date of birth, business details, and your SSN and tax ID except for most digits',
    routes: ['GET /v3/user'],
  },
  {
    text: 'See your bank accounts: name, routing number, last four digits, type, status and balance',
    routes: ['GET /v3/bank', 'GET /v3/account/bank'],
  },
]

/** What an application may do, in plain words: before it is authorized, and after. */
export const scopeWords: Record<Scope, Words> = {
  check: {
    permissions: [
      {
        text: 'Send any number of payments from your bank accounts and wallets: electronic, mailed, or many at once',
        routes: [...ways, 'POST /v3/check/csv'],
      },
      ...reading,
    ],
    detail: 'It keeps this access until you disconnect it in your settings.',
    granted: 'May send payments from your account, and see your profile and bank accounts, until you disconnect it',
  },
  'single-use': {
    permissions: [
      { text: 'Send one payment from one of your bank accounts or wallets, electronic or mailed', routes: ways },
      ...reading,
    ],
    detail: 'Its access ends with that payment. It has to ask you again before another one.',
    granted: 'May send one payment from your account, and see your profile and bank accounts until then',
  },
}
