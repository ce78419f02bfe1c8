/** In characters. */
export const MIN_PASSWORD_LENGTH = 8
export const MAX_PASSWORD_LENGTH = 200

/** The score of zxcvbn, 0 to 4: from 3 on, 10^8 guesses find no password. `hint` says what to change. */
export type PasswordStrength = { score: number; hint: string | null }

const MIN_SCORE = 3

/** What is wrong with the length of a new password, null for nothing. */
export function lengthProblem(password: string): string | null {
  const length = [...password].length
  if (length < MIN_PASSWORD_LENGTH) return `must have at least ${MIN_PASSWORD_LENGTH} characters.`
  return length > MAX_PASSWORD_LENGTH ? `must have at most ${MAX_PASSWORD_LENGTH} characters.` : null
}

export function strengthProblem({ score, hint }: PasswordStrength): string | null {
  if (score >= MIN_SCORE) return null
  return ['is too easy to guess.', hint].filter(Boolean).join(' ')
}

/** Judging longer texts takes disproportionately longer, and so much of a good password is good. */
const JUDGED_LENGTH = 64
const MAX_WORDS = 40

/** What is judged: the beginning of the password; and the owner's words, whole and in parts, with those of this service. */
export function judgedParts({ password, words }: { password: string; words: string[] }): {
  password: string
  words: string[]
} {
  const parts = words.flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)])
  const known = [...parts.map((part) => part.toLowerCase()), 'remit', 'sandbox', 'payments']
  return {
    password: [...password].slice(0, JUDGED_LENGTH).join(''),
    words: [...new Set(known)].filter((word) => word.length > 2).slice(0, MAX_WORDS),
  }
}
