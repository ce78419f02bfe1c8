import type { FieldErrors } from '../../../foundation/core/errors.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import type { Caller } from '../../../foundation/http/caller.ts'
import { addDays } from '../../../foundation/lib/clock.ts'
import { prepareOrders } from '../../../payments/payment/accept/accept-actions.ts'
import { acceptRefusal } from '../../../payments/payment/accept/accept-refusal-rules.ts'
import type { Acceptance } from '../../../payments/payment/accept/accept-store.ts'
import { payeesOf, senderOf } from '../../../payments/payment/accept/prepare-actions.ts'
import {
  type File,
  orderOfRow,
  type ReadRow,
  readFile,
  splitOutcomes,
  type ValidateRow,
} from '../../../payments/payment/bulk/bulk-actions.ts'
import { type BulkRow, columnOf } from '../../../payments/payment/bulk/bulk-rules.ts'
import type { UserKey } from '../../../people/user/user-store.ts'
import { DUPLICATE_DAYS, duplicatesInFile, recipientOf } from './batch-rules.ts'
import { findSimilar, type Similar } from './batch-store.ts'

/** A row without problems. `payee` is the user that it would pay. */
export type SoundRow = { index: number; line: number; value: BulkRow; amountCents: number; payee: UserKey | null }

export type CheckedFile = {
  isCsv: boolean
  /** The number of rows. */
  count: number
  sound: SoundRow[]
  problems: { index: number; line: number; fields: FieldErrors }[]
}

/**
 * Checks the rows of a file. Limits, funds and the policy are checked at the release.
 *
 * @throws ApiError invalid_request, and errors of the sender or its funding account
 */
export async function checkFile(
  deps: Deps | TxDeps,
  caller: Caller,
  { file, validate, ...common }: File & { validate: ValidateRow },
): Promise<CheckedFile> {
  const rows = readFile(file, validate)
  const isRead = (row: ReadRow): row is ReadRow & { fields: null } => row.fields === null
  const read = rows.filter(isRead)
  const orders = read.map(({ value }) => ({ ...orderOfRow(value, common), attachment: null }))
  const prepared = await prepareOrders(deps, { sender: senderOf(caller), orders })
  const acceptances = prepared.filter((one): one is Acceptance => !(one instanceof Error))
  const found = acceptances.length > 0 ? (await payeesOf(deps, acceptances)).values() : [].values()
  const outcomes = prepared.map((one, place) => {
    if (one instanceof Error) return one
    const { payee, refusal } = found.next().value ?? { payee: null, refusal: null }
    if (refusal) {
      const named = refusal.field === 'recipient.account' ? accountRefused(one, refusal) : refusal
      return acceptRefusal(named, one.recipient)
    }
    const { index, line, value } = read[place] as ReadRow & { fields: null }
    return { index, line, value, amountCents: one.amountCents, payee }
  })
  const { payments: sound, refused } = splitOutcomes<SoundRow>(outcomes, read)
  const problems = [...rows.flatMap((row) => (row.fields ? [row] : [])), ...refused]
  return { isCsv: typeof file === 'string', count: rows.length, sound, problems: problems.toSorted(byIndex) }
}

const byIndex = (one: { index: number }, other: { index: number }): number => one.index - other.index

/** Renames the field of a refused account to the field of the file. */
const accountRefused = <Refusal extends object>({ payeeAccount }: Acceptance, refusal: Refusal): Refusal => ({
  ...refusal,
  field: payeeAccount?.field ?? 'recipient.account',
})

/** The row or payment that a row probably repeats. */
export type Duplicate = { kind: 'row'; line: number } | (Pick<Similar, 'id' | 'createdAt'> & { kind: Similar['kind'] })

export type PreviewedRow = {
  line: number
  problems: { field: string; problem: string }[]
  duplicate: Duplicate | null
}

/**
 * Checks a file without saving it. `batch`: the open batch that it would replace.
 *
 * @throws ApiError as `checkFile`
 */
export async function previewFile(
  deps: Deps,
  caller: Caller,
  { batch, ...given }: File & { validate: ValidateRow; batch: string | null },
): Promise<{ rows: PreviewedRow[]; cents: number }> {
  const { isCsv, sound, problems } = await checkFile(deps, caller, given)
  const rows: (PreviewedRow & { index: number })[] = problems.map(({ index, line, fields }) => ({
    index,
    line,
    problems: Object.entries(fields).flatMap(([field, texts]) =>
      texts.map((problem) => ({ field: isCsv ? columnOf(field) : field, problem })),
    ),
    duplicate: null,
  }))
  const duplicates = await findDuplicates(deps, caller, { sound, exceptBatch: batch })
  for (const [place, { index, line }] of sound.entries()) {
    rows.push({ index, line, problems: [], duplicate: duplicates[place] ?? null })
  }
  return {
    rows: rows.toSorted(byIndex).map(({ index: _, ...row }) => row),
    cents: sound.reduce((sum, { amountCents }) => sum + amountCents, 0),
  }
}

async function findDuplicates(
  deps: Deps,
  user: UserKey,
  { sound, exceptBatch }: { sound: readonly SoundRow[]; exceptBatch: string | null },
): Promise<(Duplicate | null)[]> {
  const inFile = duplicatesInFile(sound.map(({ line, value }) => ({ line, row: value })))
  const sought = sound.map(({ value, amountCents }, place) => ({
    place,
    recipient: recipientOf(value).toLowerCase(),
    name: value.name.toLowerCase(),
    amountCents,
    hasAccount: value.account_number != null,
  }))
  const since = addDays(deps.clock.now(), -DUPLICATE_DAYS)
  const similar = await findSimilar(deps.sql, user, { rows: sought, since, exceptBatch })
  const byPlace = new Map(similar.map(({ place, ...one }) => [place, one]))
  return inFile.map((line, place) => (line === null ? (byPlace.get(place) ?? null) : { kind: 'row', line }))
}
