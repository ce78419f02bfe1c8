import { getBankCases } from '../../../src/foundation/exception/bank-case-actions.ts'
import { getExceptions } from '../../../src/foundation/exception/exception-actions.ts'
import { keysCommand } from '../../../src/operation/cli/keys-commands.ts'
import { waitingFiles } from '../exchange.ts'
import { remit } from '../operators.ts'
import { count, type Party, type World } from '../world.ts'

// Other commands of the operator. They show files, cases, users and debts, correct accounts, rotate keys and return checkbooks.

/** Runs commands that only read. */
export async function look(world: World): Promise<string> {
  const { deps, dice } = world
  const { name, platform } = dice.pick(world.parties().filter((one) => one !== one.platform.ownParty)) as Party
  const of = { owner: platform.email, user: name }
  const [file] = waitingFiles(world)
  const [first] = await getExceptions(deps, { platformId: null, includesClosed: true })
  const [bankCase] = await getBankCases(deps)
  const looks = [
    () => remit(world, 'files', ['list']),
    () => remit(world, 'files', ['list'], { all: true }),
    () => remit(world, 'files', ['show', file ?? 'none']),
    () => remit(world, 'exceptions', ['list']),
    () => remit(world, 'exceptions', ['show', bankCase?.id ?? first?.id ?? 'none']),
    () => remit(world, 'bank', ['list'], of),
    () => remit(world, 'debt', ['list']),
    () => remit(world, 'user', ['show'], of),
    () => remit(world, 'reconcile', ['list']),
    () => remit(world, 'reconcile', ['months']),
  ] as const
  for (const one of looks) await one()
  return 'looked'
}

/** Corrects the account number of a user's bank, as the bank told the operator by phone. */
export async function correctByHand(world: World): Promise<string> {
  const { platform, bankId, accounts, name } = world.dice.pick(world.parties()) as Party
  const account = world.nextNumber()
  world.service.secrets.add(account)
  const flags = { owner: platform.email, bank: bankId, account, note: 'the bank called' }
  const isCorrected = await remit(world, 'bank', ['correct'], flags)
  if (isCorrected) accounts.add(account)
  return `${name} ${isCorrected}`
}

/** Lists the master keys, and seals everything again with the first one. */
export async function keepKeys(world: World): Promise<string> {
  const verb = world.dice.one(['show', 'rotate'] as const)
  const { isClean } = await keysCommand([verb])(world.deps, () => {})
  count(world, `remit keys ${verb}`)
  return `${verb} ${isClean}`
}

/** Records that the post returned a checkbook. */
export async function returnCheckbook(world: World): Promise<string> {
  const [book] = await world.deps.sql<{ id: string }[]>`
    select id from checkbooks where status = 'MAILED' order by id limit 1
  `
  if (!book) return 'none'
  return `${await remit(world, 'checkbooks', ['return', book.id], { note: 'nobody lives there' })}`
}
