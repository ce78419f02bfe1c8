/** The columns of an export of payments (`GET /v3/export`) that a new payment ignores. */
const ONLY_OF_EXPORTS = [
  'id',
  'number',
  'date',
  'status',
  'direction',
  'sender',
  'rail',
  'return_code',
  'user_id',
  'user_name',
]

/**
 * Renames the columns of an export of payments to those of a file of payments. `recipient` becomes the email, and null marks an ignored
 * column. The columns of other files are returned unchanged.
 */
export function columnsOfExport(names: readonly string[]): readonly (string | null)[] {
  if (!names.includes('recipient') || !names.includes('direction')) return names
  return names.map((name) => (name === 'recipient' ? 'email' : ONLY_OF_EXPORTS.includes(name) ? null : name))
}
