import type { Connection } from '../../../foundation/core/connections.ts'
import type { NachaAccount } from '../../../foundation/core/environment.ts'
import { accountOf } from '../../../foundation/core/operator-account.ts'

/** A company and its bank, as their ACH agreement names them. */
export type NachaOrigin = {
  /** The routing number of the bank or processor that receives the file. */
  immediateDestination: string
  immediateDestinationName: string
  /** Ten characters that the bank assigns, usually `1` and the tax number, or a nine-digit routing number. */
  immediateOrigin: string
  immediateOriginName: string
  companyName: string
  companyId: string
  /** The nine-digit routing number of the originating bank (ODFI). */
  odfiRoutingNumber: string
  /** The account for the offsetting entry of balanced batches, or null if the bank books that entry itself. */
  settlementAccount: NachaAccount | null
}

/** Returns how a connection names the company and the bank in ACH files, or null if it has no ACH agreement. */
export function nachaOriginOf(connection: Connection): NachaOrigin | null {
  const { ach } = connection
  if (!ach) return null
  const account = ach.balancingAccount === null ? null : accountOf(connection, ach.balancingAccount)
  return {
    immediateDestination: ach.destination,
    immediateDestinationName: ach.destinationName,
    immediateOrigin: ach.origin,
    immediateOriginName: ach.originName,
    companyName: ach.companyName,
    companyId: ach.companyId,
    odfiRoutingNumber: ach.odfiRoutingNumber,
    settlementAccount: account && {
      routingNumber: account.routingNumber,
      accountNumber: account.accountNumber,
      kind: account.type,
    },
  }
}
