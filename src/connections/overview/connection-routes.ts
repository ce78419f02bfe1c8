import { Type } from 'typebox'
import type { Connection } from '../../foundation/core/connections.ts'
import { get, type Route } from '../../foundation/http/route.ts'
import { closed, nullable, oneOf } from '../../foundation/http/schema.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import { INBOUND_KINDS, INBOUND_STATUSES } from '../exchange/bank-file-rules.ts'
import { OUTGOING_FILE_KINDS, OUTGOING_FILE_STATUSES } from '../exchange/outgoing-file-status.ts'
import {
  CONNECTION_CONDITIONS,
  type ConnectionOverview,
  getConnectionOverviews,
} from './connection-overview-actions.ts'
import type { ListedFile } from './connection-overview-store.ts'
import { openCasesText } from './open-cases-rules.ts'

const time = nullable(Type.String({ description: 'UTC, or null' }))
const CONTACT = 'The last session that succeeded, or the last file that left a folder or arrived in it. UTC, or null'

const BankFile = closed({
  id: Type.String(),
  direction: oneOf(['out', 'in'], { description: 'out: to the bank' }),
  kind: oneOf([...new Set([...OUTGOING_FILE_KINDS, ...INBOUND_KINDS])]),
  name: Type.String(),
  status: oneOf([...OUTGOING_FILE_STATUSES, ...INBOUND_STATUSES]),
  size: Type.Integer({ description: 'Bytes' }),
  time: Type.String({ description: 'The last change of its status, UTC' }),
  attention: nullable(Type.String({ description: 'The reason why it needs the operator, or null' })),
})

const BankConnection = closed({
  id: Type.String(),
  condition: oneOf(CONNECTION_CONDITIONS),
  transport: oneOf(['folder', 'sftp', 'https']),
  place: Type.String({ description: 'The folder, the host with its port, or the URL of a processor' }),
  rails: Type.Array(Type.String()),
  problem: nullable(Type.String({ description: 'The reason why the last session failed, or null' })),
  contacted_at: nullable(Type.String({ description: CONTACT })),
  next_try_at: time,
  next_cut_off: time,
  files: Type.Array(BankFile),
  cases: Type.Array(closed({ id: Type.String(), text: Type.String(), opened_at: Type.String() })),
})

export const connectionRoutes: Route[] = [
  get(
    '/web/v1/operator/connections',
    {
      access: 'session',
      permission: 'operate',
      tag: 'Operator',
      summary: 'List the connections with banks',
      answer: closed({ connections: Type.Array(BankConnection) }),
    },
    async (deps) => ({ connections: (await getConnectionOverviews(deps)).map(connectionAnswer) }),
  ),
]

const connectionAnswer = ({
  connection,
  condition,
  state,
  contactedAt,
  rails,
  nextCutOff,
  files,
  cases,
}: ConnectionOverview) => ({
  id: connection.id,
  condition,
  transport: connection.transport.type,
  place: placeOf(connection),
  rails: [...rails],
  problem: condition === 'failing' ? (state?.lastProblem ?? null) : null,
  contacted_at: timeAnswer(contactedAt),
  next_try_at: timeAnswer(condition === 'failing' ? state?.nextTryAt : null),
  next_cut_off: timeAnswer(nextCutOff),
  files: files.map(fileAnswer),
  cases: cases.map(({ id, note, createdAt }) => ({ id, text: note, opened_at: formatDateTime(createdAt) })),
})

function placeOf({ transport }: Connection): string {
  if (transport.type === 'folder') return transport.path
  return transport.type === 'https' ? transport.url : `${transport.host}:${transport.port}`
}

const timeAnswer = (at: Date | null | undefined): string | null => (at ? formatDateTime(at) : null)

const fileAnswer = ({
  id,
  direction,
  kind,
  name,
  status,
  byteCount,
  time: at,
  attention,
  openCaseCount,
}: ListedFile) => ({
  id,
  direction,
  kind,
  name,
  status,
  size: byteCount,
  time: formatDateTime(at),
  attention: attention ?? openCasesText(openCaseCount),
})
