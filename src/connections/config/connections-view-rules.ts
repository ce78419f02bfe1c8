import { resolve } from 'node:path'
import type { CheckLayout } from '../../foundation/core/check-layout.ts'
import {
  type AchContract,
  type CheckContract,
  type Connection,
  type Connections,
  type Expected,
  type FileTransport,
  type HttpsTransport,
  type OperatorAccount,
  type PgpContract,
  type ProcessorContract,
  STATEMENT_NAMES,
  type StatementContract,
  type VirtualAccounts,
} from '../../foundation/core/connections.ts'
import { FIRST_CHECK_NUMBER } from '../../foundation/core/environment.ts'
import { centsOf } from './connections-schema-part-rules.ts'
import { type ConnectionInFile, type ConnectionsFile, defaults } from './connections-schema-rules.ts'
import { isoContractOf } from './iso20022-schema-rules.ts'
import { processorDefaults } from './processor-schema-rules.ts'
import { VIRTUAL_RAILS_BY_DEFAULT } from './virtual-accounts-schema-rules.ts'

/**
 * The content of the files that connections name. `folder`: the folder of `connections.json`. `numbers`: the account number of each
 * account, by connection. `virtualNumbers`: the list of numbers for incoming money, by connection. `layouts`: the check layout, by
 * connection.
 */
type Files = {
  folder: string
  numbers: readonly (readonly string[])[]
  virtualNumbers: readonly (readonly string[])[]
  layouts: readonly (CheckLayout | null)[]
}

/** Converts the content of the file, and adds defaults. */
export const connectionsOf = (
  { connections, rails, keep_bytes_days: keepBytesDays = defaults.keepBytesDays }: ConnectionsFile,
  { folder, numbers, virtualNumbers, layouts }: Files,
): Connections => ({
  all: connections.map((connection, index) =>
    connectionOf(connection, {
      ...{ folder, numbers: numbers[index] ?? [], virtualNumbers: virtualNumbers[index] ?? [] },
      layout: layouts[index] ?? null,
    }),
  ),
  rails: { ...rails },
  keepBytesDays,
})

type Surroundings = {
  folder: string
  numbers: readonly string[]
  virtualNumbers: readonly string[]
  layout: CheckLayout | null
}

const connectionOf = (
  connection: ConnectionInFile,
  { folder, numbers, virtualNumbers, layout }: Surroundings,
): Connection => ({
  id: connection.id,
  transport: transportOf(connection.transport, folder),
  timeZone: connection.zone,
  holidays: connection.holidays ?? [],
  expected: connection.expected === undefined ? null : expectedOf(connection.expected),
  accounts: (connection.accounts ?? []).map((account, index) => accountOf(account, numbers[index] as string)),
  ach: connection.ach ? achOf(connection.ach, connection.zone) : null,
  checks: connection.checks && layout ? checksOf(connection.checks, layout) : null,
  iso20022: connection.iso20022 ? isoContractOf(connection.iso20022, (path) => resolve(folder, path)) : null,
  statements: connection.statements ? statementsOf(connection.statements) : null,
  virtualAccounts: connection.virtual_accounts ? virtualAccountsOf(connection.virtual_accounts, virtualNumbers) : null,
  processor: processorOf(connection, folder),
})

/** Converts a transport. @param folder the folder of the file, to which relative paths refer */
export function transportOf(transport: ConnectionInFile['transport'], folder: string): FileTransport | HttpsTransport {
  if (transport.type === 'https') {
    const { url, answer_seconds: seconds = processorDefaults.answerSeconds } = transport
    return { type: 'https', url: url.replace(/\/+$/, ''), answerMs: seconds * 1000 }
  }
  if (transport.type === 'folder') return { type: 'folder', path: resolve(folder, transport.path) }
  const { host, port = defaults.port, user, upload = 'rename', timeouts = {} } = transport
  const path = (file: string | undefined) => (file === undefined ? null : resolve(folder, file))
  return {
    type: 'sftp',
    host,
    port,
    user,
    credential: transport.key_file
      ? { keyFile: resolve(folder, transport.key_file), passphraseFile: path(transport.passphrase_file) }
      : { passwordFile: resolve(folder, transport.password_file as string) },
    hostKeys: transport.host_keys,
    out: transport.out,
    in: transport.in,
    upload,
    removesRead: transport.remove_after_reading ?? false,
    packetBytes: transport.packet_bytes ?? defaults.packetBytes,
    bounds: {
      connectMs: (timeouts.connect_seconds ?? defaults.connectSeconds) * 1000,
      answerMs: (timeouts.answer_seconds ?? defaults.answerSeconds) * 1000,
      sessionMs: (timeouts.session_seconds ?? defaults.sessionSeconds) * 1000,
    },
    pgp: transport.pgp ? pgpOf(transport.pgp, path) : null,
  }
}

type Pgp = NonNullable<Extract<ConnectionInFile['transport'], { type: 'sftp' }>['pgp']>

const pgpOf = (pgp: Pgp, path: (file: string | undefined) => string | null): PgpContract => ({
  encryptToFiles: (pgp.encrypt_to_files ?? []).map((file) => path(file) as string),
  signWithFile: path(pgp.sign_with_file),
  decryptWithFile: path(pgp.decrypt_with_file),
  passphraseFile: path(pgp.passphrase_file),
  requireSignatureOfFiles: (pgp.require_signature_of_files ?? []).map((file) => path(file) as string),
  isArmored: pgp.armored ?? false,
})

function expectedOf(text: string): Expected {
  const [, hours] = /^every (\d+) /.exec(text) ?? []
  return hours === undefined ? { by: text.slice(-'HH:MM'.length) } : { everyHours: Number(hours) }
}

const accountOf = (
  { id, routing, type = 'checking', currency = 'USD' }: NonNullable<ConnectionInFile['accounts']>[number],
  accountNumber: string,
): OperatorAccount => ({ id, routingNumber: routing, accountNumber, type, currency })

const achOf = (ach: NonNullable<ConnectionInFile['ach']>, timeZone: string): AchContract => ({
  destination: ach.destination,
  destinationName: ach.destination_name,
  origin: ach.origin,
  originName: ach.origin_name,
  companyName: ach.company_name,
  companyId: ach.company_id,
  odfiRoutingNumber: ach.odfi,
  windows: ach.windows,
  timeZone,
  acknowledgements: ach.acknowledgements ?? 'required',
  balancingAccount: ach.balancing_account ?? null,
  limits: {
    entriesPerFile: ach.limits?.entries_per_file ?? null,
    centsPerFile: centsOf(ach.limits?.amount_per_file),
    centsPerDay: centsOf(ach.limits?.amount_per_day),
  },
})

const checksOf = (checks: NonNullable<ConnectionInFile['checks']>, layout: CheckLayout): CheckContract => ({
  account: checks.account,
  companyName: checks.company_name,
  bankName: checks.bank_name,
  fractionalRouting: checks.fractional_routing ?? null,
  firstCheckNumber: checks.first_check_number ?? FIRST_CHECK_NUMBER,
  acknowledgements: checks.acknowledgements ?? 'required',
  layout,
})

const statementsOf = ({
  format,
  names = STATEMENT_NAMES,
  csv,
  rules = [],
}: NonNullable<ConnectionInFile['statements']>): StatementContract => ({
  format: format ?? null,
  names,
  csv: csv ?? null,
  rules: rules.map(({ text, code, sign, account }) => ({
    text: text ?? null,
    code: code ?? null,
    sign: sign ?? null,
    account,
  })),
})

const virtualAccountsOf = (
  given: NonNullable<ConnectionInFile['virtual_accounts']>,
  list: readonly string[],
): VirtualAccounts => ({
  account: given.account,
  rails: given.rails ?? VIRTUAL_RAILS_BY_DEFAULT,
  numbers:
    given.prefix !== undefined && given.length !== undefined
      ? { prefix: given.prefix, length: given.length, checkDigit: given.check_digit ?? 'none' }
      : list,
})

function processorOf({ adapter, paypal }: ConnectionInFile, folder: string): ProcessorContract | null {
  const given = adapter ?? paypal
  if (!given) return null
  const terms = {
    centsPerOrder: centsOf(given.amount_per_order),
    centsPerDay: centsOf(given.amount_per_day),
    caseAfterMs: (given.case_after_minutes ?? processorDefaults.caseAfterMinutes) * 60_000,
    returnDays: given.return_days ?? processorDefaults.returnDays,
  }
  if (adapter) {
    const keyFile = resolve(folder, adapter.key_file)
    return { type: 'adapter', keyFile, eventKeyFile: resolve(folder, adapter.event_key_file), ...terms }
  }
  if (!paypal) return null
  return {
    type: 'paypal',
    clientIdFile: resolve(folder, paypal.client_id_file),
    clientSecretFile: resolve(folder, paypal.client_secret_file),
    webhookId: paypal.webhook_id ?? null,
    ...terms,
  }
}
