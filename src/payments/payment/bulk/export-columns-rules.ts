/** The columns of an export of payments (`GET /v3/export`) that say nothing of a new payment. */
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
 * The columns of a file that is an export of payments, perhaps a corrected one, as those of a file of payments: `recipient` is the
 * email, and null is ignored. Other files keep the names of theirs.
 */
export function columnsOfExport(names: readonly string[]): readonly (string | null)[] {
  if (!names.includes('recipient') || !names.includes('direction')) return names
  return names.map((name) => (name === 'recipient' ? 'email' : ONLY_OF_EXPORTS.includes(name) ? null : name))
}
