import { styleText } from 'node:util'
import { type CheckStep, checkFolder } from '../../../connections/config/folder-check-actions.ts'
import type { Connection } from '../../../foundation/core/connections.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { neutralText } from '../../../foundation/lib/text/plain-text.ts'
import type { CommandFlags } from '../command-flags.ts'
import { readConfigured, transportText } from './connections-commands.ts'

/** `remit connections test ID`. @returns the exit code: 0 if everything works */
export async function runTest({ write: writes = false }: CommandFlags, [, id]: readonly string[]): Promise<number> {
  const { all } = await readConfigured()
  const connection = all.find((one) => one.id === id)
  if (!connection)
    throw new StartProblem(`There is no connection ${id}. There is: ${all.map((one) => one.id).join(', ')}.`)
  console.log(`${connection.id}: ${transportText(connection)}\n`)
  const steps = await stepsOf(connection, { writes })
  for (const step of steps) console.log(lineOf(step))
  const isGood = steps.every((step) => step.isGood)
  if (isGood && !writes) console.log('  - write      not tested: add --write, which writes a file and removes it')
  console.log(isGood ? '\nThe connection works.' : '\nThe connection does not work.')
  return isGood ? 0 : 1
}

const MARKS = { good: styleText('green', '✔'), bad: styleText('red', '✘') }

const lineOf = ({ name, isGood, detail }: CheckStep): string =>
  `  ${isGood ? MARKS.good : MARKS.bad} ${name.padEnd(9)}  ${neutralText(detail)}`

async function stepsOf({ transport }: Connection, given: { writes: boolean }): Promise<CheckStep[]> {
  if (transport.type === 'folder') return checkFolder(transport.path, given)
  throw new StartProblem('SFTP is not there yet.')
}
