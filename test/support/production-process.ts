import { execFile } from 'node:child_process'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createOutgoingFile } from '../../src/connections/exchange/outgoing-file-actions.ts'
import { inTransaction } from '../../src/foundation/db/transaction.ts'
import { newId } from '../../src/foundation/lib/ids.ts'
import { connectionsFolder, type twoBanks, writeConnections } from './connections.ts'
import { type FileService, startFileService } from './file-service.ts'
import { inheritedVariables, runRemit, startProcess } from './process.ts'
import { runCommand } from './run-command.ts'

/**
 * Production with a `connections.json`. `service` has the same database and creates rows for it. It runs no passes.
 * `remit` runs a command in this process, `remitProcess` in a separate one.
 */
export async function prepareProduction(t: TestContext, banks: ReturnType<typeof twoBanks>) {
  const home = await connectionsFolder(t)
  const path = await writeConnections(home, banks)
  const service = await startFileService(t)
  const env = {
    REMIT_ENVIRONMENTS: 'production',
    REMIT_DATA_DIR: join(home, 'data'),
    REMIT_MASTER_KEYS: service.masterKey,
    REMIT_PRODUCTION_BASE_URL: 'https://pay.example.com',
    REMIT_PRODUCTION_DATABASE_URL: service.databaseUrl,
    REMIT_PRODUCTION_CONNECTIONS: path,
  }
  return {
    service,
    home,
    remit: (line: string, ...more: string[]) => runCommand([...line.split(' '), ...more], env),
    remitProcess: (...args: string[]) => runRemit(args, { home, env }),
    /** Runs a command in a separate terminal. @returns its output */
    remitOnTerminal: async (line: string): Promise<string> => {
      const program = fileURLToPath(new URL('../../bin/remit.js', import.meta.url))
      const command = `${process.execPath} ${program} ${line}`
      const options = { cwd: home, env: { ...inheritedVariables(), HOME: home, ...env } }
      return (await promisify(execFile)('script', ['-qec', command, '/dev/null'], options)).stdout
    },
    startWorker: () => startProcess(t, ['worker'], { home, env }),
  }
}

/** Commits a list of issued checks over a connection, with a platform that it concerns. */
export const createIssueList = (
  { deps }: Pick<FileService, 'deps'>,
  {
    name,
    connectionId = 'first',
    content = issueListOf(name),
  }: { name: string; connectionId?: string; content?: string },
): Promise<void> =>
  inTransaction(deps, async (tx) => {
    const [platform] = await tx.sql<{ id: string }[]>`select id from users where id = platform_id`
    await createOutgoingFile(tx, {
      ...{ id: newId(tx), connectionId, kind: 'issue', name, effectiveAt: null },
      parts: [{ name: `${name}.csv`, content }],
      platformIds: [platform?.id as string],
    })
  })

export const issueListOf = (name: string) => `number,amount\n1001,10.00\n${name}\n`
