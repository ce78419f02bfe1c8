import { newMasterKey } from '../../foundation/core/seal.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import type { KeyUse } from '../../foundation/db/key-uses.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { removeOldCodes } from '../../people/auth/two-factor/two-factor-actions.ts'
import { getKeyUses, rotateKeys } from '../key/key-rotation-actions.ts'
import type { CommandFlags } from './command-flags.ts'
import { onEachDatabase, type Report } from './on-database.ts'

/** A command that runs in the database of each environment. `tell` prints progress. */
type KeysCommand = (deps: Deps, tell: (line: string) => void) => Promise<Report>

/** Runs `remit keys …`. Without a selected environment, it runs in all of them, because they share the key ring. @throws StartProblem */
export async function runKeys(flags: CommandFlags, names: readonly string[]): Promise<number> {
  if (names[0] !== 'new') return onEachDatabase(flags, keysCommand(names, flags))
  console.log(newMasterKey())
  return 0
}

/** Checks the command line before it opens a database. @throws StartProblem */
export function keysCommand([verb]: readonly string[], { yes }: Pick<CommandFlags, 'yes'> = {}): KeysCommand {
  if (verb === 'rotate') return rotate
  if (verb !== 'drop-codes') return showKeys
  if (yes) return dropCodes
  throw new StartProblem('remit keys drop-codes deletes recovery codes of owners for good. Add --yes.')
}

const showKeys: KeysCommand = async (deps) => {
  const lines = keyLines(deps, await getKeyUses(deps))
  return { lines, isClean: !lines.some((line) => line.includes(': MISSING')) }
}

const rotate: KeysCommand = async (deps, tell) => {
  const failures = await rotateKeys(deps, (what, count) => tell(`${what}: ${count}`))
  const lines = failures.map(
    ({ platformId, what, problem }) => `FAILED ${what}${platformId ? `, platform ${platformId}` : ''}: ${problem}`,
  )
  return { lines: [...lines, ...keyLines(deps, await getKeyUses(deps))], isClean: failures.length === 0 }
}

const dropCodes: KeysCommand = async (deps) => {
  const count = await removeOldCodes(deps)
  return { lines: [`recovery codes deleted: ${count}`, ...keyLines(deps, await getKeyUses(deps))], isClean: true }
}

/** Lists each key of the ring with its remaining uses, then the missing keys. */
function keyLines({ keyRing: { ids } }: Deps, uses: readonly KeyUse[]): string[] {
  const missing = new Set(uses.map(({ keyId }) => keyId).filter((id) => id !== '' && !ids.includes(id)))
  const known = ids.flatMap((id, index) => {
    const own = uses.filter(({ keyId }) => keyId === id)
    if (index === 0) return [`key ${id}: in use for sealing${own.some(isChoice) ? ' and for digests' : ''}`]
    if (own.length === 0) return [`key ${id}: safe to remove`, ...outside]
    return [`key ${id}: needed`, ...own.map((use) => `  ${described(use)}`), ...outside]
  })
  const needs = (id: string) => uses.filter(({ keyId }) => keyId === id).map((use) => `  ${use.what}: ${use.count}`)
  return [...known, ...[...missing].flatMap((id) => [`key ${id}: MISSING in the list, and needed`, ...needs(id)])]
}

const isChoice = ({ fate }: KeyUse) => fate === 'choice'

const described = ({ what, count, fate, until }: KeyUse): string =>
  fate === 'choice' ? `${what}: ${fates.choice}` : `${what}: ${count}, ${fates[fate](until)}`

const fates = {
  choice: 'remit keys rotate chooses the first key for them',
  reseal: () => 'remit keys rotate seals them again',
  renewed: () => 'remit keys rotate computes them again',
  chain: () => 'remit keys rotate closes them',
  expires: (until: Date | null) => `gone by ${until?.toISOString() ?? 'themselves'}`,
  owner: () => 'until their owners make new ones on the page Security, or remit keys drop-codes deletes them',
} as const

/** The uses of a key outside of the database, which no command can count. */
const outside = ['  outside the database: unsubscribe links in earlier mails work as long as this key is in the list']
