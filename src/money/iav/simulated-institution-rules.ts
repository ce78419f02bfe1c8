import type { FormField, FormValues, Institution, InstitutionAccount, InstitutionOutcome } from './institution-rules.ts'

// The institutions of sandbox and demo. docs/money.md lists the magic logins.

const ROUTING = '110000000' // not assigned to any bank

const BANK: Institution = {
  id: 'b1d7c0ffee5a4e0f9a1b2c3d4e5f6071',
  name: 'Simulated Bank',
  loginForm: [
    { name: 'username', type: 'TEXT', description: 'Your username' },
    { name: 'password', type: 'PASSWORD', description: 'Your password' },
  ],
}

const CREDIT_UNION: Institution = {
  id: 'c0ffee1d5a4e4f0f8b2c3d4e5f60718a',
  name: 'Simulated Credit Union',
  loginForm: [
    { name: 'member_number', type: 'TEXT', description: 'Your member number' },
    { name: 'passcode', type: 'PASSWORD', description: 'Your online passcode' },
  ],
}

const accountsOf: Readonly<Record<string, readonly InstitutionAccount[]>> = {
  [BANK.id]: [
    { routing: ROUTING, account: '480022003301', name: 'Simulated Checking' },
    { routing: ROUTING, account: '480022003302', name: 'Simulated Savings' },
  ],
  [CREDIT_UNION.id]: [{ routing: ROUTING, account: '590033004401', name: 'Simulated Share Draft' }],
}

const PASSWORD = 'pass_good'
const CODE = '123123'
const ANSWER = 'blue'

type Challenge = 'code' | 'question' | 'option'

const challenges: Record<Challenge, { form: FormField & { name: string }; answer: string | null; next?: Challenge }> = {
  code: { form: { name: 'code', type: 'TEXT', description: 'The code that we sent you' }, answer: CODE },
  question: { form: { name: 'answer', type: 'PASSWORD', description: 'Your favorite color' }, answer: ANSWER },
  option: {
    form: {
      name: 'channel',
      type: 'OPTION',
      description: 'Where to send a code',
      options: ['text message', 'email'],
    },
    answer: null, // any option is right
    next: 'code',
  },
}

const challengeOf = (institutionId: string, challenge: Challenge): InstitutionOutcome => ({
  kind: 'challenge',
  form: [challenges[challenge].form],
  state: JSON.stringify([institutionId, challenge]),
})

const accounts = (institutionId: string): InstitutionOutcome => ({
  kind: 'accounts',
  accounts: accountsOf[institutionId] ?? [],
})

/** The outcomes of magic logins by the value of the first field, if the password is right. */
const magicLogins: Readonly<Record<string, (institutionId: string) => InstitutionOutcome>> = {
  user_good: accounts,
  user_empty: () => ({ kind: 'accounts', accounts: [] }),
  user_code: (id) => challengeOf(id, 'code'),
  user_question: (id) => challengeOf(id, 'question'),
  user_option: (id) => challengeOf(id, 'option'),
  user_locked: () => ({ kind: 'locked' }),
  user_down: () => ({ kind: 'unavailable' }),
}

/** The outcomes of magic tokens. Other tokens, such as those of Plaid's sandbox, belong to one account. */
const magicTokens: Readonly<Record<string, InstitutionOutcome>> = {
  'processor-sandbox-unknown': { kind: 'refused', field: 'processor_token' },
  'processor-sandbox-locked': { kind: 'locked' },
  'processor-sandbox-down': { kind: 'unavailable' },
}

const own = <Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

export function simulateLogin({ id, loginForm }: Institution, values: FormValues): InstitutionOutcome {
  const [first, second] = loginForm.map(({ name }) => name) as [string, string]
  const outcome = own(magicLogins, values[first] ?? '')
  return outcome && values[second] === PASSWORD ? outcome(id) : { kind: 'refused', field: second }
}

export function simulateAnswer(state: string, values: FormValues): InstitutionOutcome {
  const [institutionId, name] = JSON.parse(state) as [string, Challenge]
  const { form, answer, next } = challenges[name]
  if (answer !== null && values[form.name] !== answer) return { kind: 'refused', field: form.name }
  return next ? challengeOf(institutionId, next) : accounts(institutionId)
}

export const challengeFormOfState = (state: string): readonly FormField[] => [
  challenges[(JSON.parse(state) as [string, Challenge])[1]].form,
]

export const simulateToken = (token: string): InstitutionOutcome =>
  own(magicTokens, token) ?? { kind: 'accounts', accounts: (accountsOf[BANK.id] ?? []).slice(0, 1) }

export const simulatedInstitutionList: readonly Institution[] = [BANK, CREDIT_UNION]
