/** How often a code may be wrong, and how long it lives. */
export const MAX_WRONG_CODES = 5
export const CODE_MINUTES = 15

/** What is typed with spaces or dashes is the same code. */
export const normalCode = (code: string): string => code.replace(/[\s-]/g, '').toLowerCase()

export function wrongCodeMessage(triesLeft: number): string {
  if (triesLeft === 0) return 'The code is wrong. Ask for a new one.'
  return `The code is wrong. ${triesLeft} ${triesLeft === 1 ? 'try' : 'tries'} left.`
}
