/** Says how many cases about a file wait for a decision, or returns null if none does. */
export const openCasesText = (count: number): string | null => {
  if (count === 0) return null
  return count === 1 ? 'an open exception' : `${count} open exceptions`
}
