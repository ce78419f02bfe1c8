import { readdir, readFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { parseOutgoingFileName } from '../../../connections/exchange/bank-file-rules.ts'
import { OUTGOING_FILE_KINDS, type OutgoingFileKind } from '../../../connections/exchange/outgoing-file-status.ts'
import type { OutgoingFileRow } from '../../../connections/exchange/outgoing-file-store.ts'
import type { Connection } from '../../../foundation/core/connections.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { adoptAchFile } from '../../../money/ach/file/ach-adopt-actions.ts'
import { adoptOrders } from '../../../money/iso20022/order/order-restore-actions.ts'
import { adoptPrintFile, reserveListedNumbers } from '../../../payments/check/printing/print-restore-actions.ts'
import { adoptCheckbookFile } from '../../../payments/checkbook/checkbook-print-actions.ts'
import { legHandlers } from '../../scheduler/leg-handlers.ts'
import { byOrder, isNameOf } from './last-files.ts'

/** A file in the folder, or from `--file`, that is not in the database. `isTransmitted`: it was found where only sent files are. */
export type LostFile = { kind: OutgoingFileKind; name: string; paths: string[]; isTransmitted: boolean }

/**
 * Finds the files in the folder, and those that the operator gives, whose content the database does not have. `known`: the files that it has
 * with their content.
 *
 * @throws StartProblem for a given file whose name is not the one of a bank file
 */
export async function lostFiles(
  { transport }: Connection,
  known: readonly OutgoingFileRow[],
  given: readonly string[],
): Promise<LostFile[]> {
  const knownNames = new Set(known.map(({ name }) => name))
  const folder = transport.type === 'folder' ? transport.path : null
  const nameOf = (path: string) => parseOutgoingFileName(basename(path))
  const places = [
    ...(folder ? await filesIn(join(folder, 'outbound')) : []).map((path) => ({ path, isTransmitted: false })),
    ...(folder ? await filesIn(join(folder, 'outbound/sent')) : []).map((path) => ({ path, isTransmitted: true })),
  ].map((place) => ({ ...place, name: nameOf(place.path), kind: kindOf(nameOf(place.path)) }))
  for (const path of given) places.push({ path, isTransmitted: true, ...requireName(path) })
  const files = new Map<string, LostFile>()
  for (const { path, isTransmitted, name, kind } of places) {
    if (!kind || knownNames.has(name)) continue
    const file = files.get(name) ?? { kind, name, paths: [], isTransmitted }
    files.set(name, { ...file, paths: [...file.paths, path], isTransmitted: file.isTransmitted || isTransmitted })
  }
  return [...files.values()].sort((a, b) => byOrder(a.name, b.name))
}

/** Returns the names of the files that were canceled after the backup and that the database does not know. */
export async function lostCanceled({ transport }: Connection, known: readonly OutgoingFileRow[]): Promise<string[]> {
  if (transport.type !== 'folder') return []
  const names = (await filesIn(join(transport.path, 'outbound/canceled'))).map((path) =>
    parseOutgoingFileName(basename(path)),
  )
  const isLost = (name: string) => kindOf(name) !== undefined && !known.some((file) => file.name === name)
  return [...new Set(names)].filter(isLost)
}

const kindOf = (name: string) => OUTGOING_FILE_KINDS.find((kind) => isNameOf(kind, name))

/** Returns the name of a file that the operator gives. The bank can have given its copy another ending, or none. */
function requireName(path: string): { name: string; kind: OutgoingFileKind } {
  const name = basename(path).replace(/\..*$/, '')
  const kind = kindOf(name)
  if (kind) return { name, kind }
  throw new StartProblem(
    `${basename(path)} is not the name of a bank file, such as 20261122-A.ach. Nothing was changed. Give the file the name under which it was sent.`,
  )
}

async function filesIn(folder: string): Promise<string[]> {
  const all = await readdir(folder, { withFileTypes: true })
  return all.filter((one) => one.isFile() && !one.name.startsWith('.')).map(({ name }) => join(folder, name))
}

/** The result of adding a file. `hasGapBefore`: whether the numbers show that an earlier file is missing. */
type Adopted = { isAdded: boolean; hasGapBefore: boolean }

/**
 * Adds a file to the database. Of a list of issued checks only the numbers are reserved. Lists of stopped checks and recalls are not added,
 * because nothing is sent twice without them. `hasNextNumber`: whether the operator names the next check number.
 *
 * @throws StartProblem
 */
export async function adopt(
  tx: TxDeps,
  connection: Connection,
  { kind, name, paths, isTransmitted, hasNextNumber }: LostFile & { hasNextNumber: boolean },
): Promise<Adopted> {
  const partOf = (ending: string) => paths.find((path) => extname(path).toLowerCase() === ending)
  const content = (path = paths[0] as string) => readFile(path)
  if (kind === 'ach') {
    const given = { connection, fileName: `${name}.ach`, content: await content(partOf('.ach')), isTransmitted }
    const adopted = await adoptAchFile(tx, legHandlers, given)
    if (adopted.name === name) return { isAdded: true, hasGapBefore: adopted.hasGapBefore }
    throw new StartProblem(`The file named ${name} is ${adopted.name}. Nothing was changed. Check the file.`)
  }
  if (kind === 'orders') {
    await adoptOrders(tx, { connection, name, content: await content(partOf('.xml')), isTransmitted })
    return { isAdded: true, hasGapBefore: false }
  }
  if (kind === 'issue' && !(await reserveListedNumbers(tx, connection, await content())) && !hasNextNumber)
    throw new StartProblem(
      `The check numbers in ${name} cannot be read. Nothing was changed. Add --next-check-number N.`,
    )
  if (kind !== 'print' && kind !== 'checkbook') return { isAdded: false, hasGapBefore: false }
  const [list, pdf] = [partOf('.csv'), partOf('.pdf')]
  if (!list) {
    throw new StartProblem(
      `${name}.pdf is here, but ${name}.csv is not. Add it with --file, or move the PDF out of the exchange folder.`,
    )
  }
  const parts = { pdf: pdf ? await content(pdf) : null, list: await content(list) }
  const adoptFile = kind === 'print' ? adoptPrintFile : adoptCheckbookFile
  await adoptFile(tx, { connection, name, isTransmitted, ...parts })
  return { isAdded: true, hasGapBefore: false }
}
