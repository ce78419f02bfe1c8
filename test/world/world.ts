import { createHash } from 'node:crypto'
import type { Deps } from '../../src/foundation/db/deps.ts'
import type { acknowledgment, BankEntry } from '../support/ach.ts'
import type { Api } from '../support/api.ts'
import type { PaidLine } from '../support/careless-bank.ts'
import { type FileService, mailboxAddress, startFileService } from '../support/file-service.ts'
import { operatorBank } from '../support/paid-lists.ts'
import type { ProcessorsOrder } from '../support/quarter-processors.ts'
import { backUp } from '../support/restore.ts'
import { addVerifiedBank, type TestService } from '../support/service.ts'
import { setWebhook } from '../support/webhooks.ts'
import type { Batch } from './actors/bulk.ts'
import { emptyLockbox } from './actors/lockbox.ts'
import { connectionsWith, type OrderBank, openOrderBank, type Terms } from './actors/order-rails.ts'
import { openProcessors, type Processors } from './actors/processors.ts'
import { type Mortality, makeMortal } from './actors/requests.ts'
import type { Subscription } from './actors/standing.ts'
import { credit, newAccount, statementContract, walletNumbers, writeStatement } from './actors/statements.ts'
import type { Saved, Stranger } from './actors/strangers.ts'
import { addTeam, type Team } from './actors/team.ts'
import { createBooks, type Deal, type Entry } from './books.ts'
import { createBytes, createDice, type Dice } from './dice.ts'
import type { Approval } from './orders.ts'
import { type Receiver, startReceivers } from './receiver.ts'

/** A promise that the service broke. `promise` names it, because a shortened history must break the same one. */
export class Broken extends Error {
  readonly promise: string
  constructor(promise: string, problems: readonly string[]) {
    super(`${promise}:\n  ${problems.join('\n  ')}`)
    this.promise = promise
  }
}

/** Fails if there are problems. */
export function keep(promise: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new Broken(promise, problems)
}

/** A user with its accounts. `accounts`: the numbers of its bank, including those that a bank corrected. */
export type Party = {
  name: string
  api: Api & { id: string }
  platform: Platform
  bankId: string
  /** Another account, which the user added later. */
  otherBankId: string | null
  accounts: Set<string>
  walletId: string
  /** The account number at the bank for payments into the wallet. */
  walletNumber: string
}

export type Platform = {
  id: string
  email: string
  owner: FileService['owner']
  parties: Party[]
  /** Closed users. */
  formerParties: Party[]
  /** The owner as a payee, and as a payer whose members prepare and release payments. */
  ownParty: Party | null
  team: Team | null
}

/**
 * Where the service knows an account from: the id of the bank that a person outside adds after signing up, or `invoice` if the account pays
 * one. Others are `known` to a platform: to its payers, or as a user's bank. A person can give the same number in all three ways, and several
 * times.
 */
export type AccountRecord = string

/** A file at the bank. */
export type FileAtBank = {
  name: string
  content: string
  traces: string[]
  status: 'received' | 'accepted' | 'rejected'
  rejected: Set<string>
  /** Whether the file was in transit for a long time. Banks often reject such a file. */
  isLate: boolean
  /** The names of the acknowledgments that the bank has sent. */
  answers: string[]
}

/** An answer of the bank to a file. */
export type Answer = { file: FileAtBank; change: Parameters<typeof acknowledgment>[1] }

/** What every kind of world has. `dice` are those of the current step, and `deps` those of its background work. */
export type Life<Service extends TestService = TestService> = {
  service: Service
  deps: Deps
  clock: Service['clock']
  dice: Dice
  mortality: Mortality
  receiver: Receiver
  /** For the attempts to deliver webhooks. On a very busy machine there are more of them, which must not change the ids of the service. */
  nonces: ReturnType<typeof createBytes>
  step: number
  /** Failures of background steps that no crash explains. */
  failedSteps: string[]
  seen: Record<string, number>
  trace: string[]
}

export async function startLife<Service extends TestService>(
  t: Lifetime,
  service: Service,
  seed: number,
): Promise<Life<Service>> {
  const mortality = makeMortal(service.deps)
  const failedSteps: string[] = []
  return {
    service,
    deps: { ...service.deps, meter: { ...service.deps.meter, stepFailed: (name) => void failedSteps.push(name) } },
    clock: service.clock,
    dice: createDice(seed),
    mortality,
    receiver: await startReceivers(t, seed),
    nonces: createBytes(seed + 1),
    step: 0,
    failedSteps,
    seen: {},
    trace: [],
  }
}

/** What has happened in the world so far. */
const nothing = () => ({
  /** The time at which the payments were last read. */
  checkedAt: new Date(0),
  books: createBooks(),
  platforms: [] as Platform[],
  bank: new Map<string, FileAtBank>(),
  /** Answers that the bank has not sent yet. */
  answersDue: [] as Answer[],
  /** Files that were lost on their way to the bank. */
  lost: new Set<string>(),
  /** Files that have been in transit for so long that they also count as lost. */
  late: new Map<string, Buffer>(),
  /** Files of the service that are in the books. */
  seenFiles: new Set<string>(),
  /** Checks in print files, with whether the printer got them. */
  mailedChecks: new Map<number, boolean>(),
  /** The lists of stop orders at the bank that have a check, by its number. */
  stopLists: new Map<number, Set<string>>(),
  /** Files that the bank had accepted before the database was restored. It does not reject them later. */
  acceptedBefore: new Set<string>(),
  /** Entries of lost payments that the operator settled with their payers, by trace number. */
  settledLost: new Map<string, { entry: Entry; isReturned: boolean }>(),
  /** Damaged files of returns in inbound/, with the intended entries. */
  damaged: new Map<string, DamagedFile>(),
  /** Lists of paid checks with a wrong amount, and the right one in cents. */
  contradictions: new Map<string, number>(),
  /** Micro-deposits that were returned, by trace number. */
  returnedVerifications: new Set<string>(),
  /** The states of orders at processors that are in the books. */
  notedPayouts: new Map<ProcessorsOrder, ProcessorsOrder['state']>(),
  /** Answers to orders, by the names of their files. */
  orderAnswers: new Map<string, string>(),
  /** Files that the service read while everything about one platform failed. */
  readInPart: new Set<string>(),
  /** Good files of returns and acknowledgments in inbound/, with the entries that they undo. */
  returnsIn: new Map<string, readonly Pick<Returned, 'file' | 'trace'>[]>(),
  /** The checks that the bank paid, in the order of its lists. */
  cashed: [] as PaidLine[],
  /** The legs of checks that the operator recorded as paid. */
  paidByHand: new Set<string>(),
  /** Accounts whose number the bank has corrected, with the file that reported it. `record`: see `accountRecordOf`. */
  corrected: new Map<string, { file: string; readAt: Date | null; record: AccountRecord }>(),
  approvals: [] as Approval[],
  /** The bank of each account number. A corrected number belongs to the same bank. */
  bankOf: new Map<string, string>(),
  /** Orders that the bank has executed after it had rejected them. `isHeld`: whether the service has held the payment since. */
  contested: new Map<string, { isHeld: boolean }>(),
  /** Accounts of users that orders reach, by the name of the user and the rail. */
  outsideAccounts: new Map<string, string>(),
  invoices: [] as Invoice[],
  subscriptions: [] as Subscription[],
  batches: [] as Batch[],
  /** Payments to several users that must be endorsed first, with the user who must endorse each. */
  endorsers: new Map<Deal, Party>(),
  strangers: [] as Stranger[],
  /** Payees that users saved with an account. */
  saved: [] as Saved[],
  lockbox: emptyLockbox(),
  /** The account of the operator at the bank. */
  account: newAccount(),
  suspended: new Set<string>(),
  /** Users whose account is blocked. */
  blocked: new Set<string>(),
  inboundCount: 0,
  partyCount: 0,
  /** A pass of the background work that fails for one platform until it is repaired. */
  broken: null as { pass: string; platformId: string } | null,
})

/** Numbers and people by their names. */
type Lookup = {
  nextCents(): number
  nextNumber(): string
  parties(): Party[]
  partyOf(name: string): Party
  /** Undefined for a stranger. */
  userOf(name: string): Party | undefined
  /** The account numbers of a user or a stranger. */
  accountsOf(name: string): Set<string>
}

export type World = Life<FileService> &
  ReturnType<typeof nothing> &
  Lookup & {
    orderBank: OrderBank
    processors: Processors
    terms: Terms
    /** @returns a function that restores the present state of the database */
    backUp(): ReturnType<typeof backUp>
  }

/** `isVoid`: the sender voided it. */
export type Invoice = { id: string; deal: Deal; isVoid: boolean }

export type DamagedFile = { damage: string; entries: readonly Returned[] }

/** A return that the bank intended, of an entry in a file of the service. */
export type Returned = BankEntry & { file: string }

const FIRST_CENTS = 1_000
/** Real bank accounts have 11 digits here. They differ from all amounts and trace numbers. */
const FIRST_ACCOUNT = 40_000_000_000

/**
 * Without the request log. It writes twice in a second of real time, so the fault of a request would sometimes hit its statement instead of
 * one of the request.
 */
export const timeless = { keepsRequestLog: false }

export type Lifetime = Parameters<typeof startFileService>[0]

/** Starts a world: a service in production with a bank that answers files, and two platforms with four users each. */
export async function startWorld(t: Lifetime, seed: number): Promise<World> {
  const processors = await openProcessors(t, seed, () => world)
  const terms: Terms = { are: 'right' }
  const service = await startFileService(t, {
    acknowledgements: { ach: 'required', paper: 'none' },
    operatorBank,
    statements: statementContract,
    virtualAccounts: walletNumbers,
    connectionsFrom: (first) => connectionsWith(first, { processors: processors.connections, terms }),
    settings: { mailboxAddress, showsMail: true, trustsProxy: true, ...timeless },
    random: createBytes(seed),
    isRealTimeSimulated: true,
  })
  service.secrets.add(operatorBank.accountNumber)
  await service.ownerSql`create index on payments (updated_at)` // for the check after each step
  service.clock.advance(createDice(seed).between(0, 730) * 24 * 3_600) // so that seeds begin before holidays, ends of months and leap days
  let cents = FIRST_CENTS
  let accountNumber = FIRST_ACCOUNT
  const world: World = {
    ...(await startLife(t, service, seed)),
    ...nothing(),
    orderBank: openOrderBank(() => world),
    processors,
    terms,
    backUp: () => backUp(service, t),
    nextCents: () => cents++,
    nextNumber: () => String(++accountNumber),
    parties: () =>
      world.platforms.flatMap(({ parties, formerParties, ownParty }) => [
        ...parties,
        ...formerParties,
        ...(ownParty ? [ownParty] : []),
      ]),
    partyOf: (name) => world.userOf(name) as Party,
    userOf: (name) => world.parties().find((party) => party.name === name),
    accountsOf: (name) =>
      [...world.parties(), ...world.strangers].find((one) => one.name === name)?.accounts ?? new Set(),
  }
  for (let platform = 0; platform < 2; platform++) await addPlatform(world)
  await writeStatement(world)
  return world
}

async function addPlatform(world: World): Promise<void> {
  const { api: owner, id, email } = await world.service.newOwner(`Platform ${world.platforms.length}`)
  const platform: Platform = { id, email, owner, parties: [], formerParties: [], ownParty: null, team: null }
  world.platforms.push(platform)
  platform.ownParty = await openAccounts(world, {
    name: `owner${world.platforms.length}`,
    api: { ...owner, id },
    platform,
  })
  for (let party = 0; party < 4; party++) await addParty(world, platform)
  platform.team = await addTeam(world, platform)
}

export async function addParty(world: World, platform: Platform): Promise<void> {
  const name = `u${++world.partyCount}`
  const api = await world.service.newUser(name, platform.owner)
  platform.parties.push(await openAccounts(world, { name, api, platform }))
}

async function openAccounts(world: World, given: Pick<Party, 'name' | 'api' | 'platform'>): Promise<Party> {
  const { name, api } = given
  const account = world.nextNumber()
  world.service.secrets.add(account)
  const bankId = await addVerifiedBank(api, account)
  world.bankOf.set(account, bankId)
  await setWebhook(api, world.receiver.urlOf(name))
  const { body } = await api.post('/v3/account/wallet', { name: 'Cash' })
  const walletNumber: string = body.numbers.ACH.account
  world.service.secrets.add(walletNumber)
  const wallet = { walletId: body.id as string, walletNumber }
  const party: Party = { ...given, ...wallet, bankId, otherBankId: null, accounts: new Set([account]) }
  credit(world, party, FUNDED_CENTS)
  return party
}

/** Paid into each wallet. The bank books it with its next statement. */
const FUNDED_CENTS = 150_000

/** Two users of one platform. */
export function pickPair({ dice, platforms }: World): { payer: Party; payee: Party } {
  const { parties } = dice.pick(platforms) as Platform
  const payer = dice.pick(parties) as Party
  const payee = dice.pick(parties.filter((one) => one !== payer)) as Party
  return { payer, payee }
}

const LAST = 5

/** Returns one of the last items, mostly one that has not ended. */
export function pickOpen<One extends { end: unknown }>({ dice }: World, items: readonly One[]): One | undefined {
  const open = items.filter(({ end }) => end === null)
  return dice.pick((open.length > 0 && dice.chance(0.8) ? open : items).slice(-LAST))
}

export const count = ({ seen }: Pick<World, 'seen'>, what: string): void => {
  seen[what] = (seen[what] ?? 0) + 1
}

export const digestOf = (lines: readonly string[]): string =>
  createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)
