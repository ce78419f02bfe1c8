import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../support/process.ts'
import {
  type Installation,
  type Lifetime,
  type Result,
  runProgram,
  type Settings,
  variablesOf,
} from './installation.ts'

// Runs the image that build-image.sh builds from the Containerfile with Podman: as an unprivileged user, with a
// read-only root.

const USER = 'remit-container'
const NAME = 'remit-production-check'
const PATHS = { config: '/etc/remit', data: '/var/lib/remit' }
const LIMITS = ['--cgroups=disabled', '--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=4096:4096']
const RESTRICTIONS = ['--read-only', '--cap-drop', 'all', '--security-opt', 'no-new-privileges']
const STOP_SECONDS = '30'

const asUser = (args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Result> =>
  runProgram('sh', [join(import.meta.dirname, 'as-user.sh'), USER, ...args], { cwd: '/', env })

const podman = async (args: readonly string[], env?: NodeJS.ProcessEnv): Promise<string> => {
  const { code, stdout, stderr } = await asUser(['podman', '--storage-driver', 'overlay', ...args], env)
  assert.equal(code, 0, stdout + stderr)
  return stdout
}

export async function inContainer(t: Lifetime, settings: Settings): Promise<Installation> {
  const folder = await temporaryFolder(t)
  const [configFolder, dataFolder] = [join(folder, 'config'), join(folder, 'data')]
  for (const path of [configFolder, dataFolder]) await mkdir(path, { mode: 0o700 })
  await giveToUser(folder)
  const variables: Record<string, string> = {
    ...variablesOf(settings, PATHS),
    DATABASE_URL: settings.databaseUrl,
    REMIT_MASTER_KEYS: settings.masterKeys,
  }
  /** Values are passed in the environment, which other users cannot read. */
  const optionsOf = (given: Record<string, string>, mountOptions = 'rprivate') => [
    ...['--name', NAME, '--network', 'host', ...LIMITS, ...RESTRICTIONS],
    ...[
      '-v',
      `${dataFolder}:${PATHS.data}:${mountOptions}`,
      '-v',
      `${configFolder}:${PATHS.config}:ro,${mountOptions}`,
    ],
    ...Object.keys(given).flatMap((name) => ['-e', name]),
    'localhost/remit',
  ]
  const remove = () => podman(['rm', '--force', '--ignore', NAME])
  await remove()
  t.after(async () => void (await remove()))
  return {
    paths: PATHS,
    dataFolder,
    configure: async (files) => {
      for (const [name, content] of Object.entries(files))
        await writeFile(join(configFolder, name), content, { mode: 0o640 })
      await giveToUser(configFolder)
    },
    migrate: () => {
      // `U` changes the owner of the folders to the user in the container.
      const given = { ...variables, MIGRATE_DATABASE_URL: settings.ownerUrl }
      const args = ['podman', '--storage-driver', 'overlay', 'run', '--rm', ...optionsOf(given, 'U'), 'migrate']
      return asUser(args, { ...process.env, ...given })
    },
    run: (args) =>
      asUser(['podman', '--storage-driver', 'overlay', 'exec', NAME, 'node', '/opt/remit/bin/remit.js', ...args]),
    start: async () => {
      await remove()
      await podman(['run', '--detach', ...optionsOf(variables), 'start'], { ...process.env, ...variables })
      await expectRestrictions()
      return {
        output: () => podman(['logs', NAME]),
        stop: async () => {
          await podman(['stop', '--time', STOP_SECONDS, NAME])
          return [Number(await podman(['inspect', NAME, '--format', '{{.State.ExitCode}}']))]
        },
      }
    },
  }
}

async function giveToUser(path: string): Promise<void> {
  const { code, stderr } = await runProgram('chown', ['--recursive', `${USER}:`, path])
  assert.equal(code, 0, stderr)
}

/** Checks that the process runs as an unprivileged user and cannot write to the root file system. */
async function expectRestrictions(): Promise<void> {
  const program = `
    const { readFileSync, writeFileSync } = require('node:fs')
    for (const path of ['/opt/remit/file', '/file', '/etc/remit/file'])
      try { writeFileSync(path, ''); throw new Error(path + ' was written') } catch (error) { if (error.code !== 'EROFS') throw error }
    const status = readFileSync('/proc/1/status', 'utf8')
    console.log(process.getuid(), /CapEff:\\s*(\\w+)/.exec(status)[1], /NoNewPrivs:\\s*(\\d)/.exec(status)[1])`
  assert.equal((await podman(['exec', NAME, 'node', '-e', program])).trim(), '1000 0000000000000000 1')
}
