import { checkFolder } from '../../connections/config/folder-check-actions.ts'
import { nextCutOff } from '../../connections/exchange/bank-calendar-rules.ts'
import { findConnectionState } from '../../connections/exchange/connection-state-store.ts'
import { endsSession, TransferProblem } from '../../connections/transport/transfer-problem-rules.ts'
import type { ServerCheck } from '../../connections/transport/transport-types.ts'
import type { Connection, FolderTransport, SftpTransport } from '../../foundation/core/connections.ts'
import type { Pool } from '../../foundation/db/connect.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import type { EnvironmentConfig } from '../app/config.ts'
import type { Check } from './check.ts'
import { readOnly } from './doctor-store.ts'
import { byLimits, duration, failure, ok, type Verdict, warning } from './finding-rules.ts'

/** The ids of the checks of a connection. In reports, the id of the connection replaces `ID`. */
export const CONNECTION_CHECK_IDS = {
  server: ['connection.ID.host-key', 'connection.ID.folders', 'connection.ID.cut-off'],
  state: ['connection.ID.contact'],
} as const

/** Reads the connections of an environment. If the file has a problem, there are no connections, and the verdict names the problem. */
export async function readConnectionsOf({
  connectionsFile,
}: EnvironmentConfig): Promise<{ connections: readonly Connection[]; verdict: Verdict }> {
  if (connectionsFile === null) return { connections: [], verdict: ok('Its rails are simulated, so it has no banks.') }
  try {
    // Loaded only if an environment has banks.
    const { readConnections } = await import('../../connections/config/connections-actions.ts')
    const { all } = await readConnections(connectionsFile)
    return { connections: all, verdict: ok(`${all.length} connections: ${all.map(({ id }) => id).join(', ')}`) }
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error
    return { connections: [], verdict: failure(error.message, 'Correct connections.json. See docs/banks.md.') }
  }
}

export type ServerContext = { now: () => Date }

/** Returns the checks of a bank's server or folder. They list folders, and do not write or fetch files. */
export function serverChecksOf(connection: Connection): Check<ServerContext>[] {
  const { id, transport } = connection
  const place = lookInto(transport)
  return [
    { id: `connection.${id}.host-key`, run: async () => (await place).hostKey },
    { id: `connection.${id}.folders`, run: async () => (await place).folders },
    { id: `connection.${id}.cut-off`, run: ({ now }) => judgeCutOff(connection, now()) },
  ]
}

type Place = { hostKey: Verdict; folders: Verdict }

async function lookInto(transport: Connection['transport']): Promise<Place> {
  if (transport.type === 'folder') return lookIntoFolder(transport)
  if (transport.type === 'sftp') return lookIntoServer(transport)
  const verdict = ok('A processor is called over HTTPS, so there are no files.')
  return { hostKey: verdict, folders: verdict }
}

async function lookIntoFolder({ path }: FolderTransport): Promise<Place> {
  const bad = (await checkFolder(path, { writes: false })).filter(({ isGood }) => !isGood)
  const hostKey = ok('Files travel in a folder, so there is no server.')
  if (bad.length === 0) return { hostKey, folders: ok('The folders can be listed.') }
  const found = bad.map(({ detail }) => `${detail}.`).join(' ')
  return { hostKey, folders: failure(found, 'Start the service, which creates the folders, or correct their rights.') }
}

/** Time limits in milliseconds. They are shorter than the time limit of a check, so that no session lasts longer than its check. */
const BOUNDS = { connectMs: 5_000, answerMs: 4_000, sessionMs: 7_000 }

async function lookIntoServer(transport: SftpTransport): Promise<Place> {
  // Loaded only if a bank uses SFTP.
  const { openServer } = await import('../../connections/transport/open-server-actions.ts')
  const { checkServer } = await import('../../connections/transport/server-check-actions.ts')
  try {
    const seen = await checkServer(await openServer({ ...transport, bounds: BOUNDS }), { writes: false })
    return { hostKey: ok(PINNED), folders: judgeFolders(seen) }
  } catch (error) {
    if (!(error instanceof TransferProblem)) throw error
    return problemVerdicts(error)
  }
}

const PINNED = 'The server has a pinned host key.'

const REMEDIES: Partial<Record<TransferProblem['kind'], string>> = {
  settings: 'Correct connections.json and the files that it names: remit connections check.',
  host_key: 'Ask the bank whether it changed its key. If it did, add the new key to host_keys.',
  sign_in: 'Ask the bank whether it has your public key, and for which user.',
}

/** Returns the verdicts for a problem. The sign-in is only tried after the host key was compared. */
function problemVerdicts(problem: TransferProblem): Place {
  const bad = failure(problem.message, REMEDIES[problem.kind] ?? 'Check the network, and ask the bank.')
  if (!endsSession(problem) || problem.kind === 'sign_in') return { hostKey: ok(PINNED), folders: bad }
  return {
    hostKey: bad,
    folders: warning('The folders were not listed.', 'Correct the problem of the host key first.'),
  }
}

function judgeFolders({ out, in: inbound }: ServerCheck): Verdict {
  const missing = [...out.warnings, ...inbound.warnings].filter((one) => one.includes('does not exist'))
  if (missing.length > 0) return failure(missing.join(' '), 'Correct out and in of the transport, or ask the bank.')
  return ok(`${out.files.length} files in the folder for uploads, ${inbound.files.length} in the other one`)
}

const CUT_OFF_LIMITS = { warning: 5 * 86_400, failure: 14 * 86_400 }

/** Judges the next cut-off of a connection. The longest time without a cut-off is a weekend with a holiday on either side. */
export function judgeCutOff(connection: Connection, now: Date): Verdict {
  const at = nextCutOff(connection, now)
  if (at === null) return ok('It carries no ACH files.')
  const judge = byLimits((at.getTime() - now.getTime()) / 1_000, CUT_OFF_LIMITS)
  const found = `The next cut-off is ${formatDateTime(at).slice(0, 16)} UTC.`
  return judge(found, 'Look at windows and holidays in connections.json.')
}

export type ContactContext = { pool: Pool; now: () => Date }

/** Returns the checks of the database's information about a bank. */
export const contactChecksOf = ({ id, transport }: Connection): Check<ContactContext>[] => [
  {
    id: `connection.${id}.contact`,
    run: async ({ pool, now }) => {
      if (transport.type === 'folder') return ok('Files travel in a folder, so there are no sessions.')
      const state = await readOnly(pool, (sql) => findConnectionState(sql, id))
      if (state && state.tries > 0) {
        const found = `The last ${state.tries === 1 ? 'session' : `${state.tries} sessions`} failed: ${state.lastProblem}`
        return failure(found, `Run remit connections test ${id}.`)
      }
      if (transport.type === 'https')
        return ok('A processor is called when there is an order, and no call has failed since the last success.')
      if (!state?.contactedAt) return warning('No session has succeeded yet.', 'Run remit worker, and look at its log.')
      const seconds = (now().getTime() - state.contactedAt.getTime()) / 1_000
      const found = `The last session was ${duration(seconds)} ago.`
      return byLimits(seconds, CONTACT_LIMITS)(found, 'Run remit worker, and look at its log.')
    },
  },
]

/** Limits in seconds. The service asks banks for files every three minutes. */
const CONTACT_LIMITS = { warning: 3_600, failure: 86_400 }
