/** The shortest allowed password, in characters. */
export const MIN_PASSWORD_LENGTH = 8
export const MAX_PASSWORD_LENGTH = 200

/** The strength of a password. `score`: 0 to 4 from zxcvbn. From 3 on, 10^8 guesses do not find it. `hint`: how to improve it, or null. */
export type PasswordStrength = { score: number; hint: string | null }

const MIN_SCORE = 3

/** Explains why the length of a new password is not allowed. Returns null if it is. */
export function lengthProblem(password: string): string | null {
  const length = [...password].length
  if (length < MIN_PASSWORD_LENGTH) return `must have at least ${MIN_PASSWORD_LENGTH} characters.`
  return length > MAX_PASSWORD_LENGTH ? `must have at most ${MAX_PASSWORD_LENGTH} characters.` : null
}

export function strengthProblem({ score, hint }: PasswordStrength): string | null {
  if (score >= MIN_SCORE) return null
  return ['is too easy to guess.', hint].filter(Boolean).join(' ')
}

/**
 * The number of characters of a password that are scored. Scoring time grows faster than the length, and this length can reach the top
 * score.
 */
const SCORED_LENGTH = 64
const MAX_WORDS = 40

/**
 * Returns the input for scoring: the beginning of the password, and the words to avoid: those of the owner, whole and in parts, and those
 * of this service.
 */
export function scoringInput({ password, words }: { password: string; words: string[] }): {
  password: string
  words: string[]
} {
  const parts = words.flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)])
  const known = [...parts.map((part) => part.toLowerCase()), 'remit', 'sandbox', 'payments']
  return {
    password: [...password].slice(0, SCORED_LENGTH).join(''),
    words: [...new Set(known)].filter((word) => word.length > 2).slice(0, MAX_WORDS),
  }
}
