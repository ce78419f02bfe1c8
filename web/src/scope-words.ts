import type { Scope } from './answers.ts'

type Words = { consent: string; detail: string; granted: string }

/** What an application may do, in plain words: before it is authorized, and after. */
export const scopeWords: Record<Scope, Words> = {
  check: {
    consent: 'Send checks from your account until you disconnect it',
    detail: 'You can disconnect it at any time in your settings.',
    granted: 'May send checks from your account until you disconnect it',
  },
  'single-use': {
    consent: 'Send one payment',
    detail: 'It has to ask you again before another one.',
    granted: 'May send one payment',
  },
}
