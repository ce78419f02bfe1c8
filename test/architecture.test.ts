import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const src = fileURLToPath(new URL('../src', import.meta.url))

/** Nouns from the lowest up: each may import those before it. The files of src/ itself put everything together. */
const NOUNS = [
  'lib',
  'db',
  'http',
  'audit',
  'exception',
  'ledger',
  'mail',
  'webhook',
  'user',
  'owner',
  'oauth',
  'rail',
  'bank-file',
  'paper',
  'nacha',
  'bank',
  'wallet',
  'destination',
  'payment',
  'recipient',
  'sandbox',
]

/** Folders of machinery, whose files have no suffix. */
const MACHINERY = ['lib', 'db', 'http']

/** What a kind of file may import, beside `lib`: kinds of its own noun, and kinds of the nouns below. */
const KINDS: Record<string, { own: string[]; below: string[] }> = {
  types: { own: ['types'], below: ['types'] },
  rules: { own: ['types', 'rules', 'status'], below: ['types', 'rules', 'status'] },
  status: { own: ['rules', 'status'], below: ['rules', 'status'] },
  store: { own: ['rules', 'status', 'store'], below: ['rules', 'status', 'store', 'db'] },
  actions: { own: ['rules', 'status', 'store', 'actions'], below: ['rules', 'status', 'actions', 'db', 'http'] },
  schema: { own: ['types', 'rules', 'status', 'schema'], below: ['rules', 'status', 'schema', 'http'] },
  routes: { own: ['rules', 'status', 'schema', 'actions'], below: ['rules', 'status', 'schema', 'http'] },
  worker: { own: ['rules', 'status', 'store', 'actions'], below: ['rules', 'status', 'actions', 'db'] },
}

type Import = { from: string; isTypeOnly: boolean }
type SourceFile = { path: string; noun: string; kind: string; text: string; imports: Import[] }

async function sourceFiles(): Promise<SourceFile[]> {
  const paths = (await Array.fromAsync(glob('**/*.ts', { cwd: src }))).filter((path) => !path.endsWith('.test.ts'))
  return Promise.all(paths.sort().map(readSource))
}

async function readSource(path: string): Promise<SourceFile> {
  const text = await readFile(join(src, path), 'utf8')
  const imports = [...text.matchAll(/^(?:import|export) (type )?[^'"]*?from '(\.[^']+)'/gms)].map(([, type, from]) => ({
    from: normalize(join(dirname(path), from as string)),
    isTypeOnly: type !== undefined,
  }))
  return { path, noun: nounOf(path), kind: kindOf(path), text, imports }
}

const nounOf = (path: string) => (path.includes('/') ? (path.split('/')[0] as string) : 'root')

function kindOf(path: string): string {
  const noun = nounOf(path)
  if (noun === 'root' || MACHINERY.includes(noun)) return noun
  return /-([a-z]+)\.ts$/.exec(path)?.[1] ?? 'none'
}

const files = await sourceFiles()

test('every folder is a noun of the list', () => {
  const unknown = files.filter(({ noun }) => noun !== 'root' && !NOUNS.includes(noun))
  assert.deepEqual(
    unknown.map(({ path }) => path),
    [],
  )
})

test('the suffix of a file says what it holds', () => {
  const nameless = files.filter(({ noun, kind }) => noun !== 'root' && !MACHINERY.includes(noun) && !(kind in KINDS))
  assert.deepEqual(
    nameless.map(({ path }) => path),
    [],
  )
})

test('nouns depend downwards only', () => {
  const rank = (noun: string) => (noun === 'root' ? NOUNS.length : NOUNS.indexOf(noun))
  const upwards = files.flatMap(({ path, noun, imports }) =>
    imports.filter(({ from }) => rank(nounOf(from)) > rank(noun)).map(({ from }) => `${path} imports ${from}`),
  )
  assert.deepEqual(upwards, [])
})

test('each kind of file imports only what its row allows', () => {
  const offences = files.flatMap(({ path, noun, kind, imports }) => {
    const allowed = KINDS[kind]
    if (!allowed) return []
    return imports
      .filter(({ from, isTypeOnly }) => {
        const importedKind = kindOf(from)
        if (importedKind === 'lib' || isTypeOnly) return false
        return !(nounOf(from) === noun ? allowed.own : allowed.below).includes(importedKind)
      })
      .map(({ from }) => `${path} imports ${from}`)
  })
  assert.deepEqual(offences, [])
})

test('rules are pure: nothing in them waits', () => {
  const waiting = files.filter(({ kind, text }) => ['rules', 'status'].includes(kind) && /\b(async|await)\b/.test(text))
  assert.deepEqual(
    waiting.map(({ path }) => path),
    [],
  )
})

test('SQL stands in stores and in db', () => {
  const withSql = files.filter(({ text }) => /\b(?:sql|tx|admin|pool)(?:<[^`]*?>)?`/.test(text))
  const elsewhere = withSql.filter(({ path, noun }) => noun !== 'db' && !path.endsWith('-store.ts'))
  assert.deepEqual(
    elsewhere.map(({ path }) => path),
    [],
  )
})

test('one file reads the environment, and one place the clock', () => {
  const readers = files.filter(({ text }) => text.includes('process.env')).map(({ path }) => path)
  // The second one hands the environment on to PostgreSQL's programs.
  assert.deepEqual(readers, ['config.ts', 'db/embedded-account.ts'])
  const domain = files.filter(({ noun }) => noun !== 'root' && !['db', 'lib'].includes(noun))
  const clocks = domain.filter(({ text }) => /Date\.now\(\)|new Date\(\)/.test(text)).map(({ path }) => path)
  assert.deepEqual(clocks, [])
})
