import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

// Comments and documents refer to existing files and sections. A file is referred to by its path or by the end of its
// path: `src/foundation/db/pool.ts`, `db/pool.ts` and `pool.ts` are the same.

/** Documents outside of the repository that may be referred to: none. */
const OUTSIDE: readonly string[] = []

/** Files and folders that a running service or a build creates. */
const MADE = /^(?:\.remit\/|outbound\/|inbound\/|web\/dist\/|(?:postgres|sandbox(?:-trigger)?)\.json$)/

/**
 * Matches a path with a folder, or the name of a TypeScript file or of a document. "Node.js" and "deps.sql" are no
 * files.
 */
const NAME = String.raw`(?:[\w.-]+\/)+[\w.-]*\w\.(?:css|html|js|json|md|mjs|sql|tsx?)|\w[\w.-]*\.(?:md|tsx?)`
const NAMED_FILE = new RegExp(String.raw`(?<![\w./*<>…-])(?:${NAME})(?![\w/*-])`, 'g')
const SECTION = /([\w./-]+\.md)`?,? "([^"\n]+)"/g

/** `specification.md 4.1`, `specification.md 3.2 and 5.6`, `[webhooks.md](webhooks.md) 2`: numbered sections of a document. */
const NUMBERED = /([\w./-]+\.md)`?(?:\]\([^)]*\))? (\d+(?:\.\d+)*(?:(?:, | and | to )\d+(?:\.\d+)*)*)(?![\w-])/g

const root = fileURLToPath(new URL('..', import.meta.url))
const exclude = ['**/node_modules/**', 'web/dist/**', '.git/**']
const paths = (await Array.fromAsync(glob(['**/*.*', '.env.example', 'LICENSE'], { cwd: root, exclude }))).sort()

const read = (path: string) => readFile(join(root, path), 'utf8')
const documents = await Promise.all(
  paths.filter((path) => path.endsWith('.md')).map(async (path) => ({ path, text: await read(path) })),
)
const sources = await Promise.all(
  paths
    .filter((path) => /\.(?:js|mjs|sql|tsx?)$/.test(path) && path !== 'test/references.test.ts')
    .map(async (path) => ({ path, text: await read(path) })),
)
const comments = sources.map(({ path, text }) => ({ path, text: commentsOf(path, text) }))

function commentsOf(path: string, text: string): string {
  const pattern = path.endsWith('.sql') ? /--.*/g : /(?:^|\s)\/\/ .*|^\s*\/\*[\s\S]*?\*\//gm
  return (text.match(pattern) ?? []).join('\n').replaceAll(/\bhttps?:\/\/\S+/g, '')
}

const isFile = (name: string) =>
  OUTSIDE.includes(name) || MADE.test(name) || paths.some((path) => path === name || path.endsWith(`/${name}`))

const isFolder = (name: string) => MADE.test(name) || paths.some((path) => `/${dirname(path)}/`.includes(`/${name}`))

/** The anchors of a document, as GitHub creates them from its headings. */
function anchorsOf(text: string): string[] {
  return headingsOf(text).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(/\s/g, '-'),
  )
}

const headingsOf = (text: string) => [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading as string)

const documentNamed = (name: string) => documents.find(({ path }) => path === name || path.endsWith(`/${name}`))

test('links in documents lead to existing files and headings', () => {
  const broken = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)]
      .map(([, link]) => link as string)
      .filter((link) => !leadsSomewhere(path, link))
      .map((link) => `${path}: ${link}`),
  )
  assert.deepEqual(broken, [])
})

function leadsSomewhere(from: string, link: string): boolean {
  const [file, anchor] = link.split('#') as [string, string?]
  const target = file ? normalize(join(dirname(from), file)) : from
  if (!anchor) return paths.includes(target) || isFolder(`${target.replace(/\/$/, '')}/`)
  return anchorsOf(documents.find(({ path }) => path === target)?.text ?? '').includes(anchor)
}

test('files and folders in code spans of documents exist', () => {
  // The changelog names files that no longer exist.
  const current = documents.filter(({ path }) => path !== 'CHANGELOG.md')
  const missing = current.flatMap(({ path, text }) =>
    [...text.matchAll(/`([^`\s]+)`/g)]
      .map(([, code]) => (code as string).replace(/^\.\//, ''))
      .filter((code) => (isPath(code) && !isFile(code)) || (/^[\w.-]+(?:\/[\w.-]+)*\/$/.test(code) && !isFolder(code)))
      .map((code) => `${path}: ${code}`),
  )
  assert.deepEqual(missing, [])
})

const isPath = (text: string) => new RegExp(`^(?:${NAME})$`).test(text)

test('files in comments exist', () => {
  const missing = comments.flatMap(({ path, text }) =>
    [...text.matchAll(NAMED_FILE)].filter(([name]) => !isFile(name)).map(([name]) => `${path}: ${name}`),
  )
  assert.deepEqual(missing, [])
})

test('sections in comments and documents exist', () => {
  const missing = [...comments, ...documents].flatMap(({ path, text }) =>
    [...text.matchAll(SECTION)]
      .filter(([, name]) => !OUTSIDE.includes(name as string))
      .filter(([, name, section]) => !headingsOf(documentNamed(name as string)?.text ?? '').includes(section as string))
      .map(([reference]) => `${path}: ${reference}`),
  )
  assert.deepEqual(missing, [])
})

test('numbered sections in sources and documents exist', () => {
  const missing = [...sources, ...documents].flatMap(({ path, text }) =>
    [...text.matchAll(NUMBERED)].flatMap(([, name, numbers]) =>
      (numbers as string)
        .split(/, | and | to /)
        .filter((number) => !hasSection(name as string, number))
        .map((number) => `${path}: ${name} ${number}`),
    ),
  )
  assert.deepEqual(missing, [])
})

const hasSection = (name: string, number: string) =>
  headingsOf(documentNamed(name)?.text ?? '').some((heading) =>
    new RegExp(`^${RegExp.escape(number)}\\.? `).test(heading),
  )

test('every reference to a specification names the document', () => {
  const bare = [...sources, ...documents].flatMap(({ path, text }) =>
    [...text.matchAll(/\b(?:spec|api\.md|spec\.md|design\.md) \d[\d.]*/gi)].map(
      ([reference]) => `${path}: ${reference}`,
    ),
  )
  assert.deepEqual(bare, [])
})

test('no comment refers to a migration by its number', () => {
  const numbers = /\bmigrations?[ /]0\d{3}\b|\b(?:as in|of|see) 00\d\d\b/gi
  const cited = comments.flatMap(({ path, text }) =>
    [...text.matchAll(numbers)].map(([number]) => `${path}: ${number}`),
  )
  assert.deepEqual(cited, [])
})

test('no text recommends the npm package `remit`, which belongs to another author', () => {
  const foreign = /\b(?:npx|npm (?:exec|install|i)|bunx|pnpm dlx|yarn dlx)(?: -\S+)* remit(?![\w-])/g
  const told = [...sources, ...documents].flatMap(({ path, text }) =>
    [...text.matchAll(foreign)].map(([command]) => `${path}: ${command}`),
  )
  assert.deepEqual(told, [])
})
