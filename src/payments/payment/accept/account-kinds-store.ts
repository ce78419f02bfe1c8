import type { Sql } from '../../../foundation/db/connect.ts'
import type { DestinationKind, FundingKind } from '../payment-types.ts'

/** The kinds of the accounts of an order. A wire can go to a bank abroad. */
export type AccountKinds = {
  funding: FundingKind
  /** The kind of the payee's account. `unknown`: the platform has no such account. */
  destination: DestinationKind | 'unknown' | null
  isAbroad: boolean
}

/** The accounts that an order names. */
export type NamedAccounts = { platformId: string; fundingId: string | null; destinationId: string | null }

/** Finds the kinds of the accounts that each order names. Whether they may be used is checked later, after the rows are locked. */
export function findAccountKinds(
  sql: Sql,
  platformId: string,
  orders: readonly NamedAccounts[],
): Promise<AccountKinds[]> {
  return sql<AccountKinds[]>`
    select
      case
        when exists (select from wallets w where w.platform_id = ${platformId} and w.id = o.funding_id) then 'wallet'
        else 'bank'
      end as funding,
      case
        when o.destination_id is null then null
        when exists (select from wallets w where w.platform_id = ${platformId} and w.id = o.destination_id) then 'wallet'
        else coalesce(
          d.kind, (select 'bank' from banks b where b.platform_id = ${platformId} and b.id = o.destination_id), 'unknown'
        )
      end as destination,
      coalesce(d.kind = 'wire' and d.details ->> 'country' <> 'US', false) as is_abroad
    from unnest(
      ${orders.map(({ fundingId }) => fundingId)}::uuid[], ${orders.map(({ destinationId }) => destinationId)}::uuid[]
    ) with ordinality o (funding_id, destination_id, place)
    left join destinations d on d.platform_id = ${platformId} and d.id = o.destination_id
    order by o.place
  `
}
