import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import type { BankAccountRow } from './bank-store.ts'

/**
 * The correction of an account that was given for one payment: the present account, which entries use instead. `accountDigest` belongs to
 * the given account, `correctedDigest` to the present one.
 */
export type AccountCorrectionRow = Omit<BankAccountRow, 'id'> & {
  platformId: string
  accountDigest: Buffer
  correctedDigest: Buffer
  correctedAt: Date
}

/** Locks the corrections of a platform until the end of the transaction, so that none names an account that another one has corrected. */
export async function lockAccountCorrections(sql: Sql, platformId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`account corrections ${platformId}`}, 0))`
}

/**
 * Stores a correction, also for the accounts that were corrected to this one before. `givenRouting`, `givenSealed`: the account of
 * `accountDigest`. An account that becomes valid again gets a row that names itself.
 */
export async function upsertAccountCorrection(
  sql: Sql,
  row: AccountCorrectionRow & { givenRouting: string; givenSealed: Buffer },
): Promise<void> {
  const { platformId, accountDigest, givenRouting, givenSealed, ...present } = row
  await sql`
    insert into account_corrections ${sql.values(row)}
    on conflict (platform_id, account_digest) do nothing
  `
  await sql`
    update account_corrections
    set ${sql.set(present)}
    where platform_id = ${platformId} and ${accountDigest} in (account_digest, corrected_digest)
  `
}

type AccountOnPlatform = Pick<AccountCorrectionRow, 'platformId' | 'accountDigest'>

const columns = (sql: Sql) => sql`
  c.platform_id, c.account_digest, c.routing, c.account_sealed, c.corrected_digest, c.type, c.corrected_at
`

/** Lists the corrections of accounts of one platform. */
export const listCorrectionsOnPlatform = (
  sql: Sql,
  accounts: readonly AccountOnPlatform[],
): Promise<AccountCorrectionRow[]> =>
  sql<AccountCorrectionRow[]>`
    select ${columns(sql)}
    from account_corrections c
    where c.platform_id = ${accounts[0]?.platformId ?? null}
      and c.account_digest = any (
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
    select ${columns(sql)}
    from unnest(
      ${accounts.map(({ platformId }) => platformId)}::uuid[],
      ${accounts.map(({ accountDigest }) => accountDigest.toString('hex'))}::text[]
    ) as wanted (platform_id, digest)
    join account_corrections c on c.platform_id = wanted.platform_id and c.account_digest = decode(wanted.digest, 'hex')
  `
