/** The number of wrong codes allowed, and the lifetime of a code. */
export const MAX_WRONG_CODES = 5
export const CODE_MINUTES = 15

/** Spaces and dashes in a typed code are ignored. */
export const normalizeCode = (code: string): string => code.replace(/[\s-]/g, '').toLowerCase()

export function wrongCodeMessage(attemptsLeft: number): string {
  if (attemptsLeft === 0) return 'The code is incorrect. Request a new one.'
  return `The code is incorrect. You have ${attemptsLeft} ${attemptsLeft === 1 ? 'attempt' : 'attempts'} left.`
}
