import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import type { BankAccountRow } from './bank-store.ts'

/**
 * The correction of an account that was given for one payment: the account that entries use instead. `accountDigest` belongs to the
 * account as the corrected entry used it.
 */
export type AccountCorrectionRow = Omit<BankAccountRow, 'id'> & {
  platformId: string
  accountDigest: Buffer
  correctedAt: Date
}

/** Stores a correction. `givenRouting`, `givenSealed`: the account of `accountDigest`. */
export async function upsertAccountCorrection(
  sql: Sql,
  row: AccountCorrectionRow & { givenRouting: string; givenSealed: Buffer },
): Promise<void> {
  await sql`
    insert into account_corrections ${sql.values(row)}
    on conflict (platform_id, account_digest) do update
    set
      routing = excluded.routing, account_sealed = excluded.account_sealed, type = excluded.type,
      corrected_at = excluded.corrected_at
  `
}

type AccountOnPlatform = Pick<AccountCorrectionRow, 'platformId' | 'accountDigest'>

/** Lists the corrections of accounts of one platform. */
export const listCorrectionsOnPlatform = (
  sql: Sql,
  accounts: readonly AccountOnPlatform[],
): Promise<AccountCorrectionRow[]> =>
  sql<AccountCorrectionRow[]>`
    select platform_id, account_digest, routing, account_sealed, type, corrected_at
    from account_corrections
    where platform_id = ${accounts[0]?.platformId ?? null}
      and account_digest = any (
        select decode(digest, 'hex')
        from unnest(${accounts.map(({ accountDigest }) => accountDigest.toString('hex'))}::text[]) as wanted (digest)
      )
  `

/** Lists the corrections of these accounts. They may be on several platforms. */
export const listAccountCorrections = (
  sql: Sql,
  accounts: readonly AccountOnPlatform[],
): Promise<AccountCorrectionRow[]> =>
  sql<AccountCorrectionRow[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select c.platform_id, c.account_digest, c.routing, c.account_sealed, c.type, c.corrected_at
    from unnest(
      ${accounts.map(({ platformId }) => platformId)}::uuid[],
      ${accounts.map(({ accountDigest }) => accountDigest.toString('hex'))}::text[]
    ) as wanted (platform_id, digest)
    join account_corrections c on c.platform_id = wanted.platform_id and c.account_digest = decode(wanted.digest, 'hex')
  `
