import { styleText } from 'node:util'
import { type CheckStep, checkFolder } from '../../../connections/config/folder-check-actions.ts'
import { openServer } from '../../../connections/transport/open-server-actions.ts'
import { checkServer } from '../../../connections/transport/server-check-actions.ts'
import { TransferProblem } from '../../../connections/transport/transfer-problem-rules.ts'
import type { Listing, TransferProblemKind } from '../../../connections/transport/transport-types.ts'
import type { Connection } from '../../../foundation/core/connections.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { neutralText } from '../../../foundation/lib/text/plain-text.ts'
import type { CommandFlags } from '../command-flags.ts'
import { readConfigured, transportText } from './connections-commands.ts'

/** Runs `remit connections test ID`. @returns the exit code: 0 if everything works */
export async function runTest({ write: writes = false }: CommandFlags, [, id]: readonly string[]): Promise<number> {
  const connections = await readConfigured()
  const { all } = connections
  const connection = all.find((one) => one.id === id)
  if (!connection)
    throw new StartProblem(`There is no connection ${id}. There is: ${all.map((one) => one.id).join(', ')}.`)
  console.log(`${connection.id}: ${transportText(connection)}\n`)
  if (connection.processor) {
    const { testProcessor } = await import('./processor-test.ts')
    return testProcessor(connections, connection)
  }
  const steps = await stepsOf(connection, { writes })
  for (const step of steps) console.log(lineOf(step))
  const isGood = steps.every((step) => step.isGood)
  if (isGood && !writes) console.log('  - write      not tested: add --write, which writes a file and removes it')
  console.log(isGood ? '\nThe connection works.' : '\nThe connection does not work.')
  return isGood ? 0 : 1
}

export const MARKS = { good: styleText('green', '✔'), bad: styleText('red', '✘') }

const lineOf = ({ name, isGood, detail }: CheckStep): string =>
  `  ${isGood ? MARKS.good : MARKS.bad} ${name.padEnd(9)}  ${neutralText(detail)}`

async function stepsOf({ transport }: Connection, given: { writes: boolean }): Promise<CheckStep[]> {
  if (transport.type === 'folder') return checkFolder(transport.path, given)
  if (transport.type !== 'sftp') throw new Error('a processor has a separate test')
  try {
    const { out, in: inbound, hasWritten } = await checkServer(await openServer(transport), given)
    const steps = [...SESSION.map(passed), folderStep('out', out), folderStep('in', inbound)]
    return hasWritten ? [...steps, passed(WRITTEN)] : steps
  } catch (error) {
    if (!(error instanceof TransferProblem)) throw error
    return failedSteps(error)
  }
}

type SessionStep = { name: string; kinds: readonly TransferProblemKind[]; detail: string; hint?: string }

/** The steps of a session, in order, with the kinds of problems that end the session at each step. */
const SESSION: readonly SessionStep[] = [
  { name: 'keys', kinds: ['settings'], detail: 'your key or password can be read' },
  { name: 'connect', kinds: ['unreachable', 'timed_out'], detail: 'the server answers' },
  {
    name: 'host key',
    kinds: ['host_key'],
    detail: 'is pinned in host_keys',
    hint: 'If it did, add the new key to host_keys.',
  },
  {
    name: 'sign in',
    kinds: ['sign_in'],
    detail: 'the server accepts you',
    hint: 'Ask the bank whether it has your public key, and for which user.',
  },
]

const WRITTEN = { name: 'write', detail: 'a file was written, read back and removed' }

const passed = ({ name, detail }: { name: string; detail: string }): CheckStep => ({ name, isGood: true, detail })

/** Returns the steps before the problem, then the problem. */
function failedSteps({ kind, message }: TransferProblem): CheckStep[] {
  const index = SESSION.findIndex(({ kinds }) => kinds.includes(kind))
  const { name, hint } = SESSION[index] ?? { name: 'folders', hint: undefined }
  const before = SESSION.slice(0, index === -1 ? SESSION.length : index)
  return [...before.map(passed), { name, isGood: false, detail: hint ? `${message} ${hint}` : message }]
}

function folderStep(name: string, { files, unusable, warnings }: Listing): CheckStep {
  const count = files.length === 1 ? '1 file' : `${files.length} files`
  const notes = [...unusable.map((one) => `${one.name}: ${one.problem}`), ...warnings]
  const isGood = !warnings.some((warning) => warning.includes('does not exist'))
  return { name, isGood, detail: isGood ? [count, ...notes].join('. ') : notes.join('. ') }
}
