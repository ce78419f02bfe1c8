import { type Browser, signIn } from '../../support/browser.ts'
import { newMember } from '../../support/team.ts'
import type { Deal } from '../books.ts'
import { agree, newDeal } from '../people.ts'
import { count, keep, type Party, type Platform, pickOpen, type World } from '../world.ts'
import { ask, attempt } from './requests.ts'

// The members of a platform. They prepare, edit, approve, reject and release payments of the owner, change the policy, and leave.

const ROLES = ['admin', 'preparer', 'approver'] as const
type Role = 'owner' | (typeof ROLES)[number]

type Person = { role: Role; email: string; loginId: string }

type Rule = { minCents: number; approvals: number }

/**
 * A payment of the owner that a person prepared. `touched`: the people who prepared and edited it. `approved`: the people who approved its
 * last version.
 */
type Prepared = {
  id: string
  deal: Deal
  touched: Set<string>
  approved: Set<string>
  end: 'released' | 'voided' | null
}

/** `policy`: the policy that the service showed last. */
export type Team = { people: Person[]; prepared: Prepared[]; policy: { isDual: boolean; rules: Rule[] } }

const RULE = { min_amount: 0, new_payee: false, rail: null, source: null, approvals: 1 }

export async function addTeam(world: World, { id, email }: Platform): Promise<Team> {
  const people: Person[] = [{ role: 'owner', email, loginId: '' }]
  const team = { people, prepared: [], policy: { isDual: false, rules: [] } }
  for (const role of ROLES) await addPerson(world, { id, people, role })
  return team
}

async function addPerson(
  { service, step }: World,
  { id, people, role }: Pick<Platform, 'id'> & Pick<Team, 'people'> & { role: (typeof ROLES)[number] },
): Promise<void> {
  const email = `${role}-${id.slice(-12)}-${step}@team.example`
  const { loginId } = await newMember(service, id, role, { email })
  people.push({ role, email, loginId })
}

type Scene = { platform: Platform; team: Team; person: Person; browser: Browser }

/** Returns a person of one of the teams, signed in. */
export async function enter(world: World, roles: readonly Role[]): Promise<Scene> {
  const platform = world.dice.pick(world.platforms) as Platform
  const team = platform.team as Team
  const person = world.dice.pick(team.people.filter(({ role }) => roles.includes(role))) as Person
  return { platform, team, person, browser: await signIn(world.service, person) }
}

/** Returns the number of other people who must approve a payment that a person sends in the dashboard (docs/specification.md, 5.8). */
function neededOf({ policy }: Team, cents: number): number {
  const matching = policy.rules.filter(({ minCents }) => minCents <= cents).map(({ approvals }) => approvals)
  return Math.max(policy.isDual ? 1 : 0, ...matching)
}

async function readPolicy(team: Team, browser: Browser): Promise<void> {
  const { body } = await browser.get('/v3/approval/policy')
  const rules = body.rules.map((rule: typeof RULE) => ({
    minCents: Math.round(rule.min_amount * 100),
    approvals: rule.approvals,
  }))
  team.policy = { isDual: body.dual_control, rules }
}

/** The owner changes the rules. Under dual control, the change waits for another person. */
export async function changePolicy(world: World): Promise<string> {
  const { dice } = world
  const { team, browser } = await enter(world, ['owner'])
  const before = JSON.stringify(team.policy)
  const rules = Array.from({ length: dice.between(0, 2) }, () => ({
    ...RULE,
    min_amount: dice.one([0, 12, 15, 20]),
    approvals: dice.between(0, 2),
  }))
  const change = { dual_control: dice.chance(0.3), rules }
  const { status, body } = await ask(world, browser, { method: 'put', path: '/v3/approval/policy', body: change })
  const wasDual = team.policy.isDual
  await readPolicy(team, browser)
  const hasChanged = JSON.stringify(team.policy) !== before
  keep('under dual control nobody changes the policy alone', wasDual && hasChanged ? [before] : [])
  count(world, status === 200 ? `policy ${hasChanged ? 'changed' : 'proposed'}` : `policy not changed: ${body.code}`)
  return JSON.stringify(team.policy)
}

/** Another person confirms a change of the policy, or rejects it. */
export async function decidePolicy(world: World): Promise<string> {
  const { team, browser } = await enter(world, ['admin', 'approver'])
  const { proposal } = (await browser.get('/v3/approval/policy')).body
  if (!proposal) return 'no proposal'
  const path = '/v3/approval/policy'
  const { status } = world.dice.chance(0.7)
    ? await ask(world, browser, { path: `${path}/confirm`, body: { id: proposal.id } })
    : await ask(world, browser, { method: 'del', path: `${path}/proposal/${proposal.id}` })
  await readPolicy(team, browser)
  count(world, `proposal ${status}`)
  return `${status} ${JSON.stringify(team.policy)}`
}

function newOrder(world: World, platform: Platform): { deal: Deal; body: object } {
  const payee = world.dice.pick(platform.parties) as Party
  const deal = newDeal(world, platform.ownParty as Party, payee)
  const recipient = { id: payee.name, account: payee.bankId }
  return { deal, body: { amount: deal.cents / 100, name: payee.name, recipient } }
}

/** A person sends a payment of the owner without an approval. */
export async function sendAlone(world: World): Promise<string> {
  const { platform, team, browser } = await enter(world, ['owner', 'admin'])
  const { deal, body } = newOrder(world, platform)
  const answer = await ask(world, browser, { path: '/v3/check/digital', body })
  const isAccepted = agree(world, deal, answer)
  const needed = neededOf(team, deal.cents)
  keep('nobody pays alone what needs an approval', isAccepted && needed > 0 ? [`${deal.cents} needs ${needed}`] : [])
  return `${deal.cents} ${isAccepted ? 'sent' : answer.body.code}`
}

export async function prepareInTeam(world: World): Promise<string> {
  const { platform, team, person, browser } = await enter(world, ['owner', 'admin', 'preparer'])
  const { deal, body } = newOrder(world, platform)
  const answer = await attempt(world, browser, 'prepared in a team', { path: '/v3/approval/digital', body })
  if (!answer.isDone) return answer.body.code
  const touched = new Set([person.email])
  team.prepared.push({ id: answer.body.id, deal, touched, approved: new Set(), end: null })
  return `${person.role} ${deal.cents}`
}

const pickPrepared = (world: World, { prepared }: Team): Prepared | undefined => pickOpen(world, prepared)

export async function editInTeam(world: World): Promise<string> {
  const { team, person, browser } = await enter(world, ['admin', 'preparer'])
  const one = pickPrepared(world, team)
  if (!one) return 'none'
  const cents = world.nextCents()
  const request = { method: 'put', path: `/v3/approval/${one.id}`, body: { amount: cents / 100 } } as const
  const { isDone, body } = await attempt(world, browser, 'edited in a team', request)
  keep('an approval that has ended does not change', isDone && one.end ? [one.id] : [])
  if (!isDone) return body.code
  Object.assign(one, { deal: { ...one.deal, cents }, approved: new Set() })
  one.touched.add(person.email)
  return `${person.role} ${cents}`
}

export async function approveInTeam(world: World): Promise<string> {
  const { team, person, browser } = await enter(world, ['owner', 'admin', 'approver'])
  const one = pickPrepared(world, team)
  if (!one) return 'none'
  const request = { path: `/v3/approval/${one.id}/approve` }
  const { isDone, body } = await attempt(world, browser, 'approved in a team', request)
  if (!isDone) return body.code
  const isOwn = one.touched.has(person.email)
  keep('who prepared or edited a payment does not approve it', isOwn ? [`${person.role} ${one.deal.cents}`] : [])
  one.approved.add(person.email)
  return `${person.role} ${one.deal.cents}`
}

/** Releases an approval, and sometimes releases it again. */
export async function releaseInTeam(world: World): Promise<string> {
  const { team, person, browser } = await enter(world, ['owner', 'admin', 'approver'])
  const one = pickPrepared(world, team)
  if (!one) return 'none'
  const { deal, end, approved, touched } = one
  const request = { path: '/v3/approval/release', body: { id: one.id } }
  const answer = await attempt(world, browser, 'released in a team', request)
  if (!answer.isDone) return answer.body.code
  const others = new Set([...approved, person.email].filter((email) => !touched.has(email)))
  const needed = neededOf(team, deal.cents)
  keep('a payment has the approvals that it needs', [
    ...(end ? [`${one.id} was ${end}`] : []),
    ...(Math.round(answer.body.amount * 100) === deal.cents ? [] : [`${answer.body.amount}, not ${deal.cents} cents`]),
    ...(others.size >= needed ? [] : [`${deal.cents} needs ${needed}, and has those of ${[...others].join(', ')}`]),
    ...(needed > 0 && touched.has(person.email) ? [`${person.role} released its own ${deal.cents}`] : []),
  ])
  one.end = 'released'
  agree(world, deal, answer)
  return `${person.role} ${deal.cents}`
}

/** Releases a payment that the service prepared for a subscription, or for an invoice with an authorization. */
export async function releaseFound(world: World): Promise<string> {
  const { team, browser } = await enter(world, ['owner', 'admin', 'approver'])
  const { body } = await browser.get('/v3/approval?status=UNPAID')
  const known = new Set(team.prepared.map(({ id }) => id))
  const found = world.dice.pick((body.checks as { id: string; amount: number }[]).filter(({ id }) => !known.has(id)))
  const deal = found && world.books.deals.get(Math.round(found.amount * 100))
  if (!deal) return 'none'
  const request = { path: '/v3/approval/release', body: { id: found.id } }
  const answer = await attempt(world, browser, 'released after it was prepared by itself', request)
  if (answer.isDone) agree(world, deal, answer)
  return `${deal.cents} ${answer.status}`
}

export async function rejectInTeam(world: World): Promise<string> {
  const { team, browser } = await enter(world, ['owner', 'approver'])
  const one = pickPrepared(world, team)
  if (!one) return 'none'
  const path = `/v3/approval/${one.id}/reject`
  const { status } = await ask(world, browser, { path, body: { reason: 'Not ours' } })
  if (status < 300) one.end ??= 'voided'
  return `${one.deal.cents} ${status}`
}

/** Removes a member and adds another one. The payments that the removed member prepared are void. */
export async function replaceMember(world: World): Promise<string> {
  const { platform, team, browser } = await enter(world, ['owner'])
  const person = world.dice.pick(team.people.filter(({ role }) => role !== 'owner')) as Person
  const { status, body } = await browser.del(`/web/v1/team/${person.loginId}`)
  count(world, status === 200 ? 'member removed' : `member not removed: ${body?.code}`)
  if (status !== 200) return `${person.role} ${body?.code}`
  team.people.splice(team.people.indexOf(person), 1)
  for (const one of team.prepared) if ([...one.touched][0] === person.email) one.end ??= 'voided'
  await addPerson(world, { id: platform.id, people: team.people, role: person.role as (typeof ROLES)[number] })
  return person.role
}
