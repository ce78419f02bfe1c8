/** The only check before sending: a field is not empty. The service checks all other rules. */
export const isGiven = (problem: string) => (value: string) => (value.trim() === '' ? problem : null)
