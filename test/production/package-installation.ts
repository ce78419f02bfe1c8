import { spawn } from 'node:child_process'
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { inheritedVariables, temporaryFolder } from '../support/process.ts'
import { root } from '../support/production-packages.ts'
import {
  type Installation,
  type Lifetime,
  type Running,
  runProgram,
  runWell,
  type Settings,
  variablesOf,
} from './installation.ts'

/** Packs this clone. @returns the path of the package */
export async function packRemit(t: Lifetime): Promise<string> {
  const folder = await temporaryFolder(t)
  await runWell('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: root })
  const [name] = await readdir(folder)
  return join(folder, name as string)
}

/** Installs the package with npm into an empty folder, without optional packages, as docs/operating.md describes. */
export async function installPackage(t: Lifetime): Promise<string> {
  const folder = await temporaryFolder(t)
  await chmod(folder, 0o755) // readable for the user of the service
  const args = ['install', '--omit=optional', '--no-audit', '--no-fund', '--prefix', folder, await packRemit(t)]
  await runWell('npm', args, { cwd: folder })
  return folder
}

export async function fromPackage(t: Lifetime, settings: Settings): Promise<Installation> {
  const folder = await installPackage(t)
  const paths = { config: join(folder, 'config'), data: join(folder, 'data') }
  for (const path of Object.values(paths)) await mkdir(path, { mode: 0o700 })
  const program = join(folder, 'node_modules/.bin/remit-payments')
  const env = {
    ...inheritedVariables(),
    // The Node.js of this process, which is new enough.
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    ...variablesOf(settings, paths),
    DATABASE_URL: settings.databaseUrl,
    REMIT_MASTER_KEYS: settings.masterKeys,
  }
  return {
    paths,
    dataFolder: paths.data,
    configure: async (files) => {
      for (const [name, content] of Object.entries(files))
        await writeFile(join(paths.config, name), content, { mode: 0o600 })
    },
    run: (args) => runProgram(program, args, { cwd: folder, env }),
    migrate: () =>
      runProgram(program, ['migrate'], { cwd: folder, env: { ...env, MIGRATE_DATABASE_URL: settings.ownerUrl } }),
    start: async () => startProgram(t, program, { cwd: folder, env }),
  }
}

function startProgram(t: Lifetime, program: string, options: { cwd: string; env: NodeJS.ProcessEnv }): Running {
  const child = spawn(program, ['start'], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const exited = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)))
  t.after(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return {
    output: async () => output,
    stop: async () => {
      child.kill('SIGTERM')
      return [await exited]
    },
  }
}
