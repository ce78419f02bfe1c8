import { accountText, type GivenAccount } from './account-number.ts'
import type { Connection, Connections, CurrentConnections, OperatorAccount } from './connections.ts'
import type { EnvironmentSettings, OperatorBank } from './environment.ts'

type Source = {
  settings: Pick<EnvironmentSettings, 'railNetwork' | 'operatorBank'>
  connections: CurrentConnections
}

export type PaperRail = 'MAIL' | 'PRINT'

/** Returns the connection that carries a rail, or null if none does. */
export function connectionOfRail({ all, rails }: Connections, rail: string): Connection | null {
  const id = (rails as Partial<Record<string, string>>)[rail]
  return all.find((one) => one.id === id) ?? null
}

export const findConnection = ({ all }: Connections, id: string): Connection | null =>
  all.find((one) => one.id === id) ?? null

/** Returns the account that checks of a rail are drawn on, or null if the rail is not offered. */
export function checkBankOf({ settings, connections }: Source, rail: PaperRail): OperatorBank | null {
  if (settings.railNetwork === 'simulated') return settings.operatorBank
  const connection = connectionOfRail(connections.current(), rail)
  return connection && checkBankOfConnection(connection)
}

/** Returns the account that checks of a connection are drawn on, or null if it has none. */
export function checkBankOfConnection(connection: Connection): OperatorBank | null {
  const { checks } = connection
  if (!checks) return null
  const { routingNumber, accountNumber } = accountOf(connection, checks.account)
  const { companyName, bankName, fractionalRouting, firstCheckNumber } = checks
  return { companyName, bankName, routingNumber, accountNumber, fractionalRouting, firstCheckNumber }
}

/** Returns an account of a connection by its id. */
export function accountOf({ id, accounts }: Connection, accountId: string): OperatorAccount {
  const account = accounts.find((one) => one.id === accountId)
  if (!account) throw new Error(`connection ${id} has no account ${accountId}`)
  return account
}

/** Returns all accounts of the operator. No payment takes money from them, because they are the service's own. */
export function configuredAccounts({ settings: { operatorBank }, connections }: Source): GivenAccount[] {
  return [
    ...(operatorBank ? [{ routing: operatorBank.routingNumber, account: operatorBank.accountNumber }] : []),
    ...connections
      .current()
      .all.flatMap(({ accounts }) =>
        accounts.map(({ routingNumber, accountNumber }) => ({ routing: routingNumber, account: accountNumber })),
      ),
  ]
}

export const isConfiguredAccount = (source: Source, given: GivenAccount): boolean =>
  configuredAccounts(source).some((own) => accountText(own) === accountText(given))
