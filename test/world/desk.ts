import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getOutgoingFiles } from '../../src/connections/exchange/outgoing-file-actions.ts'
import { getBankCases } from '../../src/foundation/exception/bank-case-actions.ts'
import { getExceptions } from '../../src/foundation/exception/exception-actions.ts'
import { deliver, waitingFiles } from './exchange.ts'
import { remit } from './operators.ts'
import { addParty, type Party, type World } from './world.ts'

// What the operator does at the desk: reads lists, records what the bank and users say by phone, and closes users.

/** Reads what there is. Reading changes nothing and always works. */
export async function readLists(world: World): Promise<string> {
  const { dice, deps } = world
  const party = dice.pick(world.parties()) as Party
  const flags = { owner: party.platform.email, ...(party !== party.platform.ownParty && { user: party.name }) }
  const [file, one] = [
    dice.pick(await getOutgoingFiles(deps, { isOpenOnly: false })),
    dice.pick([...(await getBankCases(deps)), ...(await getExceptions(deps, { platformId: null }))]),
  ]
  await remit(world, 'user', ['show'], flags)
  await remit(world, 'bank', ['list'], flags)
  await remit(world, 'debt', ['list'])
  await remit(world, 'files', ['list'], { all: true })
  if (file) await remit(world, 'files', ['show', file.name])
  await remit(world, 'exceptions', ['list'], { all: true })
  if (one) await remit(world, 'exceptions', ['show', one.id])
  return `${file?.name} ${one?.kind}`
}

/** Reads a damaged file of the bank again. It is still damaged. */
export async function readAgain(world: World): Promise<string> {
  const one = world.dice.pick(await getBankCases(world.deps))
  if (!one) return 'no case'
  await remit(world, 'files', ['read', one.fileName], { again: true, by: 'Olga', why: 'the bank says it is right' })
  return one.fileName
}

/** The operator uploads a file by hand, and records it. */
export async function sendByHand(world: World): Promise<string> {
  const name = world.dice.pick((await waitingFiles(world)).filter((one) => one.endsWith('.ach')))
  if (!name) return 'no file'
  const content = await readFile(join(world.service.folder, 'outbound', name))
  const flags = { by: 'Olga', why: 'uploaded on the page of the bank' }
  if (!(await remit(world, 'files', ['mark-sent', name], flags))) return 'refused'
  await deliver(world, name, content)
  return name
}

/** A user says that its bank has given it another number. */
export async function correctByHand(world: World): Promise<string> {
  const { bankOf, corrected, service, clock } = world
  const party = world.dice.pick(world.parties()) as Party
  const { bankId, platform, accounts, name } = party
  const from = [...bankOf].findLast(([, id]) => id === bankId)?.[0] as string
  const account = world.nextNumber()
  service.secrets.add(account)
  const flags = { owner: platform.email, bank: bankId, account, note: 'the holder called' }
  if (corrected.has(from) || !(await remit(world, 'bank', ['correct'], flags))) return 'refused'
  accounts.add(account)
  bankOf.set(account, bankId)
  corrected.set(from, { file: '', readAt: clock.now() })
  return name
}

/** Closes a user for good. Another one comes. */
export async function closeUser(world: World): Promise<string> {
  const { platform, name } = world.dice.pick(world.platforms.flatMap(({ parties }) => parties)) as Party
  if (!(await remit(world, 'user', ['close'], { owner: platform.email, user: name }))) return 'refused'
  for (const deal of world.books.deals.values())
    if (deal.payer === name || deal.payee === name) deal.isVoidAllowed = true
  platform.formerParties.push(...platform.parties.filter((party) => party.name === name))
  platform.parties = platform.parties.filter((party) => party.name !== name)
  world.suspended.delete(name)
  await addParty(world, platform)
  return name
}
