/** The number of wrong attempts after which a code is invalid. It is also invalid after `CODE_MINUTES`. */
export const MAX_WRONG_CODES = 5
export const CODE_MINUTES = 15

/** Removes spaces and dashes from a typed code. */
export const normalizeCode = (code: string): string => code.replace(/[\s-]/g, '').toLowerCase()

export function wrongCodeMessage(attemptsLeft: number): string {
  if (attemptsLeft === 0) return 'The code is incorrect. Request a new one.'
  return `The code is incorrect. You have ${attemptsLeft} ${attemptsLeft === 1 ? 'attempt' : 'attempts'} left.`
}
