import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { CHAINED_COLUMNS, formatHead, linkText, parseHead } from '../src/foundation/audit/audit-chain-rules.ts'
import { sealAuditEntries } from '../src/foundation/audit/audit-worker.ts'
import { EVERY_PERMISSION } from '../src/foundation/core/permission-rules.ts'
import { newMasterKey, parseMasterKeys } from '../src/foundation/core/seal.ts'
import type { Fragment } from '../src/foundation/db/skipped.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { auditCommand } from '../src/operation/cli/audit-commands.ts'
import { addUser } from '../src/people/user/user-actions.ts'
import { readableLog } from './support/isolation.ts'
import { runCommand } from './support/run-command.ts'
import { startTestService } from './support/service.ts'

// The chain of audit entries, and remit verify-audit.

const masterKey = newMasterKey()
const service = await startTestService({ after }, { keyRing: parseMasterKeys(masterKey) })
const log = readableLog(service.deps.log)
const deps = { ...service.deps, log }
const { ownerSql: sql } = service

/** Creates a platform with this number of sealed entries, in the order of their seals. */
async function newChain(count = 5) {
  const { api, id, email } = await service.newOwner()
  for (let made = 0; made < count; made++) await service.newUser(undefined, api)
  await seal()
  const entries = await sql<{ entryId: string }[]>`
    select entry_id from audit_seals where platform_id = ${id} order by sequence
  `
  return { api, id, email, entries: entries.map(({ entryId }) => entryId) }
}

const seal = async () => {
  while ((await sealAuditEntries(deps)) > 0);
}

/** Returns the newest head of a chain in the log. */
function loggedHead(platformId: string): string {
  const lines = log.lines.filter(({ message }) => message === 'audit entries sealed')
  return lines.map((line) => String(line.head)).findLast((head) => head.startsWith(platformId)) as string
}

const verify = (owner: string, ...head: string[]) => auditCommand({ owner, head })(deps)

/** Returns the problem of a chain with its entry and the entry's number. */
async function breakOf(owner: string, ...head: string[]): Promise<string | null> {
  const { lines, isClean } = await verify(owner, ...head)
  const wrong = lines.find((line) => line.startsWith('WRONG platform'))
  assert.equal(isClean, wrong === undefined, lines.join('\n'))
  return wrong?.replace(/^.*?, /, '') ?? null
}

const CHANGED = 'it does not match its seal: it was changed, moved or inserted'

test('entries are sealed in the order of their commits, and the log contains the head', async () => {
  const { id, email, entries } = await newChain(3)
  assert.equal(entries.length, 3)
  assert.equal(await breakOf(email), null)
  const head = loggedHead(id)
  assert.equal(parseHead(head)?.platformId, id)
  assert.ok((await verify(email)).lines.includes(`head  ${head}`))
  assert.equal(await sealAuditEntries(deps), 0)
})

test('an entry that commits after later ones is sealed after them, and is listed as not sealed until then', async () => {
  const { id, email, api } = await newChain(1)
  const caller = {
    platformId: id,
    userId: id,
    isOwner: true,
    permissions: EVERY_PERMISSION,
    credential: { kind: 'session', loginId: '0'.repeat(32), id },
    origin: { address: '127.0.0.1', userAgent: null },
  } as const
  let lateId = ''
  await inTransaction(deps, async (tx) => {
    lateId = (await addUser(tx, caller, { externalId: 'late', name: 'Late' })).id
    await api.post('/v3/user', { user_id: 'early', name: 'Early' })
    await seal()
  })
  assert.equal((await verify(email)).lines.filter((line) => line.startsWith('not sealed yet')).length, 1)
  assert.equal(await breakOf(email), null, 'waiting entries do not break the chain')
  await seal()
  const subjects = await sql<{ subject: string }[]>`
    select e.subject
    from audit_seals s
    join audit_entries e on e.platform_id = s.platform_id and e.id = s.entry_id
    where s.platform_id = ${id}
    order by s.sequence
  `
  assert.deepEqual([subjects.length, subjects.at(-1)?.subject], [3, lateId])
  assert.equal(await breakOf(email), null)
})

test('two workers that seal at the same time seal each entry once, without a gap', async () => {
  const { api, id, email } = await service.newOwner()
  const makers = Array.from({ length: 20 }, () => service.newUser(undefined, api))
  await Promise.all([...makers, ...Array.from({ length: 10 }, () => sealAuditEntries(deps))])
  await seal()
  const [row] = await sql`
    select count(*)::integer as count, max(sequence)::integer as last from audit_seals where platform_id = ${id}
  `
  assert.deepEqual({ ...row }, { count: 20, last: 20 })
  assert.equal(await breakOf(email), null)
})

/** Changes by an attacker who can write to the database but has no key, and the problem that is found. */
const attacks: Record<
  string,
  { act(id: string, entries: string[]): Promise<unknown>; expected: (e: string[]) => string }
> = {
  ...Object.fromEntries(
    ['action', 'actor', 'actor_id', 'user_id', 'subject', 'address', 'user_agent', 'created_at'].map((column) => [
      `changes ${column} of an entry`,
      {
        act: async (id: string, [, second]: string[]) => {
          const entry = sql`platform_id = ${id} and id = ${second as string}`
          const [row] = await sql<{ later: string }[]>`
            select (created_at + interval '1 microsecond')::text as later from audit_entries where ${entry}
          `
          const values = { user_id: sql`id`, created_at: sql`${row?.later as string}::timestamptz` }
          const to = (values as Record<string, Fragment>)[column] ?? sql`'changed'`
          await sql`update audit_entries set ${sql(column)} = ${to} where ${entry}`
        },
        expected: ([, second]: string[]) => `entry ${second} (number 2): ${CHANGED}`,
      },
    ]),
  ),
  'removes an entry': {
    act: (id, [, , third]) => sql`delete from audit_entries where platform_id = ${id} and id = ${third as string}`,
    expected: ([, , third]) => `entry ${third} (number 3): the entry was removed`,
  },
  'removes an entry and its seal': {
    act: async (id, [, , third]) => {
      await sql`delete from audit_entries where platform_id = ${id} and id = ${third as string}`
      await sql`delete from audit_seals where platform_id = ${id} and entry_id = ${third as string}`
    },
    expected: () => 'an entry (number 3): its seal was removed',
  },
  'removes an entry and its seal, and closes the gap': {
    act: async (id, [, , third]) => {
      await sql`delete from audit_entries where platform_id = ${id} and id = ${third as string}`
      await sql`delete from audit_seals where platform_id = ${id} and entry_id = ${third as string}`
      for (const sequence of [4, 5]) {
        await sql`update audit_seals set sequence = ${sequence - 1} where platform_id = ${id} and sequence = ${sequence}`
      }
    },
    expected: (entries) => `entry ${entries[3]} (number 3): ${CHANGED}`,
  },
  'swaps two entries': {
    act: async (id, [, second, third]) => {
      await sql`update audit_seals set entry_id = ${id} where platform_id = ${id} and entry_id = ${second as string}`
      await sql`update audit_seals set entry_id = ${second as string} where platform_id = ${id} and entry_id = ${third as string}`
      await sql`update audit_seals set entry_id = ${third as string} where platform_id = ${id} and entry_id = ${id}`
    },
    expected: ([, , third]) => `entry ${third} (number 2): ${CHANGED}`,
  },
  'swaps the seals of two entries': {
    act: async (id) => {
      await sql`update audit_seals set sequence = 99 where platform_id = ${id} and sequence = 2`
      await sql`update audit_seals set sequence = 2 where platform_id = ${id} and sequence = 3`
      await sql`update audit_seals set sequence = 3 where platform_id = ${id} and sequence = 99`
    },
    expected: ([, , third]) => `entry ${third} (number 2): ${CHANGED}`,
  },
  'inserts an entry': {
    act: (id) => sql`
      insert into audit_entries (platform_id, id, action, actor, created_at)
      values (${id}, ${id}, 'user_verified', 'operator', now())
    `,
    expected: () => 'entry ID (without a seal): it was inserted, or its seal was removed',
  },
  'inserts an entry with a seal of its own': {
    act: async (id) => {
      await sql`
        insert into audit_entries (platform_id, id, action, actor, created_at)
        values (${id}, ${id}, 'user_verified', 'operator', now())
      `
      await sql`
        insert into audit_seals (platform_id, sequence, entry_id, key_id, digest)
        select platform_id, 6, ${id}, key_id, digest from audit_seals where platform_id = ${id} and sequence = 5
      `
    },
    expected: () => `entry ID (number 6): ${CHANGED}`,
  },
  'takes the last seal away': {
    act: (id) => sql`delete from audit_seals where platform_id = ${id} and sequence = 5`,
    expected: (entries) => `entry ${entries[4]} (without a seal): it was inserted, or its seal was removed`,
  },
  'moves an entry to another platform': {
    act: (id, [, , , fourth]) => sql`
      update audit_entries set platform_id = ${`${'0'.repeat(31)}1`}::uuid where platform_id = ${id} and id = ${fourth as string}
    `,
    expected: (entries) => `entry ${entries[3]} (number 4): the entry was removed`,
  },
}

for (const [name, { act, expected }] of Object.entries(attacks)) {
  test(`an attacker who ${name} is found at the first entry that does not match`, async () => {
    const { id, email, entries } = await newChain()
    assert.equal(await breakOf(email), null)
    await act(id, entries)
    assert.equal((await breakOf(email))?.replaceAll(id, 'ID'), expected(entries).replaceAll(id, 'ID'))
  })
}

test('an entry that is removed before it is sealed is detected', async () => {
  const { api, id, email } = await service.newOwner()
  await service.newUser(undefined, api)
  await sql`delete from audit_entries where platform_id = ${id}`
  assert.match((await breakOf(email)) ?? '', /without a seal\): it was removed before it was sealed/)
  await sql`delete from audit_unsealed where platform_id = ${id}`
})

test('a truncated or removed chain is found by a head from the log', async () => {
  const { id, email, entries } = await newChain()
  const head = loggedHead(id)
  assert.equal(await breakOf(email, head), null)
  await sql`delete from audit_seals where platform_id = ${id} and sequence > 3`
  await sql`delete from audit_entries where platform_id = ${id} and id = any (${entries.slice(3)}::uuid[])`
  assert.equal(await breakOf(email), null, 'the database alone does not show it')
  assert.equal(await breakOf(email, head), 'an entry (number 4): the log has 5 sealed entries: the end was cut off')
  await sql`delete from audit_seals where platform_id = ${id}`
  await sql`delete from audit_entries where platform_id = ${id}`
  const { lines } = await auditCommand({ head: [head] })(deps)
  assert.ok(lines.some((line) => line.includes(`${id}, an entry (number 1): the log has 5 sealed entries`)))
})

test('a chain that was rebuilt with the key is found by a head from the log', async () => {
  const { id, email } = await newChain(2)
  const head = loggedHead(id)
  await sql`update audit_entries set subject = 'changed' where platform_id = ${id}`
  await sql`insert into audit_unsealed select platform_id, entry_id from audit_seals where platform_id = ${id}`
  await sql`delete from audit_seals where platform_id = ${id}`
  await seal()
  assert.equal(await breakOf(email), null)
  assert.match((await breakOf(email, head)) ?? '', /\(number 2\): the log has another digest for it/)
})

test('a chain continues under a new master key, and verifying it still needs the old one', async () => {
  const { api, email, entries } = await newChain(2)
  const rotated = { ...deps, keyRing: parseMasterKeys(`${newMasterKey().replace(/^k/, 'n')},${masterKey}`) }
  await service.newUser(undefined, api)
  while ((await sealAuditEntries(rotated)) > 0);
  assert.equal((await auditCommand({ owner: email })(rotated)).isClean, true)
  const young = { ...deps, keyRing: parseMasterKeys(newMasterKey().replace(/^k/, 'y')) }
  const { lines, isClean } = await auditCommand({ owner: email })(young)
  assert.equal(isClean, false)
  assert.ok(lines.some((line) => line.includes(`entry ${entries[0]} (number 1): it was sealed with master key`)))
})

test('every column of an entry is sealed, and the same texts in other columns give different links', async () => {
  const rows = await sql<{ name: string }[]>`
    select column_name as name from information_schema.columns where table_name = 'audit_entries'
  `
  const camel = (name: string) => name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())
  assert.deepEqual(rows.map(({ name }) => camel(name)).sort(), [...CHAINED_COLUMNS].sort())
  const empty = Object.fromEntries(CHAINED_COLUMNS.map((name) => [name, null])) as Parameters<typeof linkText>[1]
  const head = { sequence: 1, digest: Buffer.alloc(32) }
  const texts = CHAINED_COLUMNS.flatMap((name) =>
    ['', 'a'].map((text) => linkText(head, { ...empty, [name]: text }, 'k')),
  )
  texts.push(linkText(head, empty, 'k'), linkText(head, empty, 'l'), linkText({ ...head, sequence: 2 }, empty, 'k'))
  assert.equal(new Set(texts).size, texts.length)
  assert.deepEqual(parseHead(formatHead('0'.repeat(32), head)), { platformId: '0'.repeat(32), ...head })
  for (const text of ['', 'x', `${'0'.repeat(32)}:0:${'0'.repeat(64)}`]) assert.equal(parseHead(text), null)
})

test('remit verify-audit exits 0 for whole chains and 1 for a broken one', async () => {
  const { id, email, entries } = await newChain(2)
  const run = (...args: string[]) =>
    runCommand(['verify-audit', ...args], { DATABASE_URL: service.databaseUrl, REMIT_MASTER_KEYS: masterKey })
  const whole = await run('--owner', email)
  assert.deepEqual([whole.code, whole.stdout.split('\n')[1]], [0, '  ok    chains: 1, sealed entries: 2'], whole.stderr)
  await sql`update audit_entries set subject = 'changed' where platform_id = ${id}`
  const broken = await run('--owner', email)
  assert.equal(broken.code, 1)
  assert.match(broken.stdout, new RegExp(`WRONG platform ${id}, entry ${entries[0]} \\(number 1\\)`))
  const misspelled = await run('--head', 'x')
  assert.deepEqual([misspelled.code, misspelled.stdout], [1, ''])
  assert.match(misspelled.stderr, /--head must be PLATFORM:SEQUENCE:DIGEST/)
})
