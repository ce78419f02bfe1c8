import type { Scope } from './answers.ts'

type Permission = { text: string; routes: readonly string[] }

type Words = {
  /**
   * Everything that the scope allows, shown before authorization. `test/scope-words.test.ts` compares it with the API.
   */
  permissions: readonly Permission[]
  detail: string
  granted: string
}

const ways = ['digital', 'physical', 'multi', 'direct', 'preview'].map((way) => `POST /v3/check/${way}`)

const reading: readonly Permission[] = [
  {
    text: 'View the payments that it sent, their attachments and their status',
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
    text: 'View your profile: names, address, phone, date of birth, business details, and the last digits of your SSN and tax ID',
    routes: ['GET /v3/user'],
  },
  {
    text: 'View your bank accounts: name, routing number, last four digits, type, status and balance',
    routes: ['GET /v3/bank', 'GET /v3/account/bank'],
  },
]

/** Describes what an application can do, before and after it is authorized. */
export const scopeWords: Record<Scope, Words> = {
  check: {
    permissions: [
      {
        text: 'Send any number of payments from your bank accounts and wallets, electronically, by mail or in bulk',
        routes: [...ways, 'POST /v3/check/csv'],
      },
      ...reading,
    ],
    detail: 'It keeps this access until you disconnect it in your settings.',
    granted: 'Can send payments from your account and view your profile and bank accounts until you disconnect it',
  },
  'single-use': {
    permissions: [
      { text: 'Send one payment from one of your bank accounts or wallets, electronically or by mail', routes: ways },
      ...reading,
    ],
    detail: 'Its access ends with that payment. It has to ask you again before it sends another one.',
    granted: 'Can send one payment from your account, and view your profile and bank accounts until then',
  },
}
