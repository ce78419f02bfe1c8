/** What is checked before anything is sent: that a field is not empty. Every other rule is the service's. */
export const isGiven = (problem: string) => (value: string) => (value.trim() === '' ? problem : null)
