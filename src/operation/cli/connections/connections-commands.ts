import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkConnections, faultsText, readConnections } from '../../../connections/config/connections-actions.ts'
import { exampleText } from '../../../connections/config/connections-example-rules.ts'
import { schemaText } from '../../../connections/config/connections-schema-rules.ts'
import type { Connection, Connections } from '../../../foundation/core/connections.ts'
import { writeNewFile } from '../../../foundation/lib/files/durable-file.ts'
import { createPrivateFolder, shownPath } from '../../../foundation/lib/files/files.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { textTable } from '../../../foundation/lib/text/text-table.ts'
import { connectionsFileOf } from '../../app/config.ts'
import type { CommandFlags } from '../command-flags.ts'

const SCHEMA = fileURLToPath(new URL('../../../../schemas/connections.schema.json', import.meta.url))

type Run = (flags: CommandFlags, names: readonly string[]) => Promise<number>

/** The commands of `remit connections …` that need no database. */
export const fileCommands: Record<'schema' | 'init' | 'check', Run> = { schema, init, check }

async function schema(): Promise<number> {
  process.stdout.write(schemaText())
  return 0
}

async function init(_flags: CommandFlags, [given]: readonly string[]): Promise<number> {
  const path = pathOf(given)
  const shown = shownPath(path)
  await createPrivateFolder(dirname(path))
  try {
    await writeNewFile(path, exampleText(relative(dirname(path), SCHEMA)))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new StartProblem(`${shown} is already there. Nothing was changed.`)
    throw new StartProblem(`Cannot write ${shown}: ${code}.`)
  }
  const option = path === pathOf(undefined) ? '' : ` ${shown}`
  const steps = [
    'Replace the values by those of your bank. docs/connections-reference.md explains every key.',
    `remit connections check${option}`,
    ...(path === connectionsFileOf('production') ? [] : [`Set REMIT_PRODUCTION_CONNECTIONS=${path}`]),
    'remit connections test first',
  ]
  console.log(`Wrote ${shown}, with one bank as an example.\n\nNext:`)
  for (const [index, step] of steps.entries()) console.log(`  ${index + 1}. ${step}`)
  return 0
}

async function check(_flags: CommandFlags, [given]: readonly string[]): Promise<number> {
  const path = pathOf(given)
  const { connections, faults } = await checkConnections(path)
  if (!connections) throw new StartProblem(faultsText(path, faults))
  const count = connections.all.length
  console.log(`${shownPath(path)} is valid: ${count === 1 ? '1 connection' : `${count} connections`}.\n`)
  console.log(
    textTable([
      ['ID', 'TRANSPORT', 'RAILS'],
      ...connections.all.map((one) => [one.id, transportText(one), railsText(connections, one)]),
    ]),
  )
  return 0
}

/** Returns the file to which a command applies: the given one, that of production, or the one in this folder. */
const pathOf = (given: string | undefined): string =>
  resolve(given ?? connectionsFileOf('production') ?? 'connections.json')

/** Reads the connections that production uses. @throws StartProblem */
export const readConfigured = (): Promise<Connections> => readConnections(pathOf(undefined))

/** Describes a transport: `sftp acme@sftp.example.com:22`, `folder /var/lib/remit/first` or the URL of a processor. */
export function transportText({ transport }: Connection): string {
  if (transport.type === 'folder') return `folder ${shownPath(transport.path)}`
  if (transport.type === 'https') return transport.url
  const { host, port, user } = transport
  return `sftp ${user}@${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Lists the rails that a connection carries. */
export const railsText = ({ rails }: Connections, { id }: Connection): string =>
  Object.entries(rails)
    .filter(([, carrier]) => carrier === id)
    .map(([rail]) => rail)
    .join(', ') || 'none'
