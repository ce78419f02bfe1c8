import { posix } from 'node:path'
import { CARRIED_RAILS, type CarriedRail, ISO_RAILS, type IsoRail } from '../../foundation/core/connections.ts'
import { fractionalRouting, isAbaRoutingNumber, isFractionOf } from '../../foundation/core/routing-number.ts'
import { isTimeZone } from '../../foundation/lib/clock.ts'
import { isPrintable } from '../../foundation/lib/text/paper-text.ts'
import { readHostKeyPin } from '../transport/host-key-rules.ts'
import { type ConnectionInFile, type ConnectionsFile, defaults } from './connections-schema-rules.ts'
import type { Path, Problem } from './connections-syntax-rules.ts'

/** A connection in the file, reduced to the parts that the schema accepts. `broken`: the parts that it refuses. */
export type SoundConnection = Partial<ConnectionInFile> & { path: Path; broken: readonly string[] }

/** The parts of the file that the schema accepts. They are checked further, so that one problem does not hide others. */
export type SoundFile = { connections: SoundConnection[]; rails: ConnectionsFile['rails'] }

/** Returns the parts of the file that the schema accepts. @param problems the problems that the schema found */
export function soundPartsOf(value: unknown, problems: readonly Problem[]): SoundFile {
  const isAt = (path: Path) => problems.some(({ path: at }) => isWithin(path, at))
  const isBroken = (path: Path) => isAt(path) || problems.some(({ path: at }) => isWithin(at, path))
  const file = value as ConnectionsFile
  const connections = isAt(['connections']) ? [] : file.connections
  return {
    connections: connections.flatMap((connection, index) => {
      const path = ['connections', index]
      if (isAt(path)) return []
      const [broken, sound] = [true, false].map((isWanted) =>
        Object.entries(connection).filter(([key]) => isBroken([...path, key]) === isWanted),
      )
      return [{ ...Object.fromEntries(sound ?? []), path, broken: (broken ?? []).map(([key]) => key) }]
    }),
    // If a connection cannot be read, its id is unknown, so the rails are not checked.
    rails: Object.fromEntries(
      isAt(['rails']) || isAt(['connections']) || connections.some((_, index) => isAt(['connections', index]))
        ? []
        : Object.entries(file.rails).filter(([rail]) => !isAt(['rails', rail])),
    ),
  }
}

/** Returns whether a path is equal to another path or below it. */
export const isWithin = (path: Path, outer: Path) => outer.every((step, index) => path[index] === step)

/** Finds problems that a schema cannot express. */
export const contentProblems = ({ connections, rails }: SoundFile): Problem[] => [
  ...connections.flatMap(connectionProblems),
  ...sameIds(connections),
  ...sharedFolders(connections),
  ...severalVirtualAccounts(connections),
  ...railProblems(connections, rails),
]

const connectionProblems = (connection: SoundConnection): Problem[] => [
  ...problemIf(
    connection.zone !== undefined && !isTimeZone(connection.zone),
    [...connection.path, 'zone'],
    'must be a time zone of the IANA database such as America/New_York',
  ),
  ...transportProblems(connection),
  ...accountProblems(connection),
  ...achProblems(connection),
  ...checkProblems(connection),
  ...virtualAccountProblems(connection),
  ...missingAccount(connection, connection.iso20022?.account, [...connection.path, 'iso20022', 'account']),
  ...unprovenFiles(connection),
  ...processorProblems(connection),
]

const problemIf = (isProblem: boolean, path: Path, problem: string): Problem[] => (isProblem ? [{ path, problem }] : [])

const WRONG_CHECK_DIGIT = 'is not a routing number: its check digit does not match'

/** Finds repeated ids. @param parts `path` is the path of each part */
const sameIds = (parts: readonly { id?: string; path: Path }[]): Problem[] =>
  parts.flatMap(({ id, path }, index) => {
    const first = parts.findIndex((one) => id !== undefined && one.id === id)
    return problemIf(first !== -1 && first < index, [...path, 'id'], 'is given twice')
  })

function transportProblems({ transport, path: outer }: SoundConnection): Problem[] {
  if (transport?.type !== 'sftp') return []
  const path = [...outer, 'transport']
  const { key_file, password_file, passphrase_file, pgp } = transport
  return [
    ...problemIf(!key_file && !password_file, path, 'needs key_file or password_file'),
    ...problemIf(
      key_file !== undefined && password_file !== undefined,
      [...path, 'password_file'],
      'must be left out beside key_file',
    ),
    ...transport.host_keys.flatMap((key, index) =>
      problemIf(
        readHostKeyPin(key) === null,
        [...path, 'host_keys', index],
        'must be SHA256:… or a line of known_hosts',
      ),
    ),
    ...problemIf(passphrase_file !== undefined && !key_file, [...path, 'passphrase_file'], 'needs key_file'),
    ...problemIf(
      remoteFolder(transport.out) === remoteFolder(transport.in),
      [...path, 'in'],
      'must be another folder than out',
    ),
    ...problemIf(
      pgp?.passphrase_file !== undefined && !pgp.sign_with_file && !pgp.decrypt_with_file,
      [...path, 'pgp', 'passphrase_file'],
      'needs sign_with_file or decrypt_with_file',
    ),
  ]
}

function accountProblems({ accounts = [], path }: SoundConnection): Problem[] {
  const placed = accounts.map((account, index) => ({ ...account, path: [...path, 'accounts', index] }))
  return [
    ...placed.flatMap(({ routing, path }) =>
      problemIf(!isAbaRoutingNumber(routing), [...path, 'routing'], WRONG_CHECK_DIGIT),
    ),
    ...sameIds(placed),
  ]
}

function achProblems(connection: SoundConnection): Problem[] {
  const { ach } = connection
  if (!ach) return []
  const path = [...connection.path, 'ach']
  const { windows, limits } = ach
  return [
    ...(['destination', 'odfi'] as const).flatMap((key) =>
      problemIf(!isAbaRoutingNumber(ach[key]), [...path, key], WRONG_CHECK_DIGIT),
    ),
    ...windows.flatMap((time, index) => {
      const before = windows[index - 1] ?? ''
      return problemIf(time <= before, [...path, 'windows', index], `must be later than ${before}`)
    }),
    ...missingAccount(connection, ach.balancing_account, [...path, 'balancing_account']),
    ...problemIf(
      (limits?.amount_per_file ?? 0) > (limits?.amount_per_day ?? Number.POSITIVE_INFINITY),
      [...path, 'limits', 'amount_per_file'],
      'must be at most amount_per_day',
    ),
  ]
}

function checkProblems(connection: SoundConnection): Problem[] {
  const { checks, accounts = [] } = connection
  if (!checks) return []
  const path = [...connection.path, 'checks']
  const { account: id, fractional_routing: fraction } = checks
  const routing = accounts.find((account) => account.id === id)?.routing ?? ''
  return [
    ...missingAccount(connection, id, [...path, 'account']),
    ...(['company_name', 'bank_name'] as const).flatMap((key) =>
      problemIf(!isPrintable(checks[key]), [...path, key], 'must be a name of at most 60 Latin letters'),
    ),
    ...problemIf(
      fraction !== undefined && isAbaRoutingNumber(routing) && !isFractionOf(fraction, routing),
      [...path, 'fractional_routing'],
      `must end in ${fractionalRouting(routing)} to match the routing number of the account`,
    ),
  ]
}

/** The minimum number of random digits in a number, so that a guess rarely hits a number in use. */
const MIN_FREE_DIGITS = 4

function virtualAccountProblems(connection: SoundConnection): Problem[] {
  const { virtual_accounts: given } = connection
  if (!given) return []
  const path = [...connection.path, 'virtual_accounts']
  const { prefix, length, check_digit: checkDigit = 'none', numbers_file: list } = given
  const isForm = prefix !== undefined && length !== undefined
  const freeDigits = isForm ? length - prefix.length - (checkDigit === 'none' ? 0 : 1) : MIN_FREE_DIGITS
  const beside = (['prefix', 'length', 'check_digit'] as const).filter((key) => given[key] !== undefined)
  return [
    ...missingAccount(connection, given.account, [...path, 'account']),
    ...problemIf(list === undefined && !isForm, path, 'needs prefix and length, or numbers_file'),
    ...(list === undefined ? [] : beside).flatMap((key) =>
      problemIf(true, [...path, key], 'must be left out beside numbers_file'),
    ),
    ...problemIf(
      freeDigits < MIN_FREE_DIGITS,
      [...path, 'length'],
      `must leave ${MIN_FREE_DIGITS} digits or more between prefix and check digit`,
    ),
  ]
}

/** Finds several connections with account numbers for wallets, because a wallet has only one number. */
const severalVirtualAccounts = (connections: readonly SoundConnection[]): Problem[] =>
  connections
    .filter(({ virtual_accounts: given }) => given !== undefined)
    .slice(1)
    .flatMap(({ path }) => problemIf(true, [...path, 'virtual_accounts'], 'is also in another connection'))

/** Requires acknowledgments where the server takes files away at once, because nothing else proves that the bank has a file. */
const unprovenFiles = (connection: SoundConnection): Problem[] =>
  (['ach', 'checks'] as const).flatMap((section) =>
    problemIf(
      connection.transport?.type === 'sftp' &&
        connection.transport.upload === 'vanishes' &&
        connection[section]?.acknowledgements === 'none',
      [...connection.path, section, 'acknowledgements'],
      'must be required, because of upload: vanishes',
    ),
  )

const PROCESSORS = ['adapter', 'paypal'] as const
const SECTIONS_OF_FILES = ['ach', 'checks', 'iso20022', 'statements', 'expected'] as const

/** Finds problems of processors. A processor has the transport `https`, exactly one section, and no files. */
function processorProblems(connection: SoundConnection): Problem[] {
  const { transport, path, broken } = connection
  const given = PROCESSORS.filter((section) => connection[section] !== undefined)
  if (transport === undefined) return []
  if (transport.type !== 'https')
    return given.flatMap((section) => problemIf(true, [...path, section], 'needs a transport of type https'))
  return [
    ...problemIf(
      given.length === 0 && !PROCESSORS.some((section) => broken.includes(section)),
      [...path, 'transport', 'type'],
      'needs adapter or paypal in this connection',
    ),
    ...problemIf(given.length > 1, [...path, 'paypal'], 'must be left out beside adapter'),
    ...problemIf(
      URL.parse(transport.url)?.username !== '',
      [...path, 'transport', 'url'],
      'must be an https URL without a user name',
    ),
    ...SECTIONS_OF_FILES.flatMap((section) =>
      problemIf(connection[section] !== undefined, [...path, section], 'needs a transport of type folder or sftp'),
    ),
  ]
}

function missingAccount({ accounts = [], broken }: SoundConnection, id: string | undefined, path: Path): Problem[] {
  const isMissing = id !== undefined && !broken.includes('accounts') && !accounts.some((account) => account.id === id)
  return problemIf(isMissing, path, 'is not the id of an account of this connection')
}

/** Finds connections with a common folder, because they would take each other's files. On a server, each user has its own folders. */
function sharedFolders(connections: readonly SoundConnection[]): Problem[] {
  const folders = connections.flatMap(({ transport, path }) =>
    transport?.type !== 'sftp'
      ? []
      : (['out', 'in'] as const).map((key) => {
          const { host, port = defaults.port, user } = transport
          const folder = JSON.stringify([host.toLowerCase(), port, user, remoteFolder(transport[key])])
          return { connection: path, path: [...path, 'transport', key], folder }
        }),
  )
  return folders.flatMap(({ connection, path, folder }) => {
    const first = folders.find((one) => one.folder === folder)
    return problemIf(first?.connection !== connection, path, 'is also a folder of another connection')
  })
}

const remoteFolder = (folder: string) => posix.join(folder, '.').replace(/(?<=.)\/$/, '')

/** The sections that define a rail. A connection that carries the rail needs one of them. */
const SECTIONS_OF_RAIL: Record<CarriedRail, readonly ('ach' | 'checks' | 'iso20022' | 'adapter' | 'paypal')[]> = {
  ACH: ['ach'],
  MAIL: ['checks'],
  PRINT: ['checks'],
  RTP: ['iso20022'],
  WIRE: ['iso20022'],
  SWIFT: ['iso20022'],
  INSTANT: ['adapter'],
  INTERAC: ['adapter'],
  PAYPAL: ['paypal', 'adapter'],
  VENMO: ['paypal', 'adapter'],
}

const isIsoRail = (rail: CarriedRail): rail is IsoRail => (ISO_RAILS as readonly CarriedRail[]).includes(rail)

function railProblems(connections: readonly SoundConnection[], rails: ConnectionsFile['rails']): Problem[] {
  return CARRIED_RAILS.flatMap((rail) => {
    const id = rails[rail]
    if (id === undefined || connections.some(({ broken }) => broken.includes('id'))) return []
    const sections = SECTIONS_OF_RAIL[rail]
    const connection = connections.find((one) => one.id === id)
    if (!connection) return problemIf(true, ['rails', rail], 'is not the id of a connection')
    const isThere = sections.some((section) => connection[section] !== undefined || connection.broken.includes(section))
    if (!isThere) return problemIf(true, ['rails', rail], `needs ${sections.join(' or ')} in the connection ${id}`)
    const lacksTerms = isIsoRail(rail) && connection.iso20022 !== undefined && !connection.iso20022.rails[rail]
    return problemIf(lacksTerms, ['rails', rail], `needs iso20022.rails.${rail} in the connection ${id}`)
  })
}
