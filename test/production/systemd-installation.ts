import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { requirePackage } from '../support/debian-package.ts'
import { temporaryFolder } from '../support/process.ts'
import { root } from '../support/production-packages.ts'
import {
  type Installation,
  type Lifetime,
  type Result,
  runProgram,
  type Settings,
  variablesOf,
} from './installation.ts'
import { installPackage } from './package-installation.ts'

// Runs the units of deploy/systemd in a real systemd, as PID 1 in separate namespaces (see boot-systemd.sh). It
// enforces the restrictions of the units, loads their credentials and creates their folders.

const PATHS = { config: '/etc/remit', data: '/var/lib/remit' }
const SERVICES = ['remit.service', 'remit-worker.service'] as const
const BOOT_LIMIT_MS = 120_000

export async function withSystemd(t: Lifetime, settings: Settings): Promise<Installation> {
  const problem = requirePackage('systemd', '/lib/systemd/systemd')
  assert.equal(problem, null, problem ?? '')
  const machine = await bootMachine(t)
  await machine.install(settings)
  const systemctl = (...args: string[]) => machine.run('systemctl', args)
  const journal = async () => (await machine.run('journalctl', ['--no-pager', '--output=cat'])).stdout
  const running = {
    output: journal,
    stop: async () => {
      expectWell(await systemctl('stop', ...SERVICES))
      return Promise.all(SERVICES.map(exitCodeOf))
    },
  }
  const exitCodeOf = async (unit: string): Promise<number> => {
    const shown = expectWell(await systemctl('show', '--property=ExecMainStatus,Result', unit))
    assert.match(shown, /^Result=success$/m, unit)
    return Number(/^ExecMainStatus=(\d+)$/m.exec(shown)?.[1])
  }
  return {
    paths: PATHS,
    dataFolder: machine.dataFolder,
    configure: machine.configure,
    run: (args) => machine.runCommand(args),
    migrate: async () => ({ ...(await systemctl('start', 'remit-migrate.service')), stdout: await journal() }),
    start: async () => {
      expectWell(await systemctl('start', ...SERVICES))
      return running
    },
  }
}

function expectWell({ code, stdout, stderr }: Result): string {
  assert.equal(code, 0, stdout + stderr)
  return stdout
}

/** Starts systemd with the package in /opt/remit. */
async function bootMachine(t: Lifetime) {
  const folder = await temporaryFolder(t)
  const [work, configFolder, dataFolder] = ['work', 'config', 'data'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const path of [work, configFolder, dataFolder]) await mkdir(path, { mode: 0o755 })
  const installed = await installPackage(t)
  const namespaces = ['--mount', '--pid', '--cgroup', '--uts', '--ipc', '--fork', '--kill-child']
  const script = join(import.meta.dirname, 'boot-systemd.sh')
  const args = [...namespaces, 'sh', script, work, installed, configFolder, dataFolder, process.execPath]
  const child = spawn('unshare', args, { stdio: 'inherit' })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const run = async (program: string, programArgs: readonly string[]): Promise<Result> => {
    const [pid] = (await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')).split(' ')
    const target = ['--target', pid as string, '--mount', '--pid', '--cgroup', '--uts', '--ipc', '--root', '--wd=/']
    return runProgram('nsenter', [...target, program, ...programArgs])
  }
  for (const end = performance.now() + BOOT_LIMIT_MS; ; await sleep(100)) {
    const { stdout } = await run('systemctl', ['is-system-running'])
    if (/^(running|degraded)$/m.test(stdout)) break
    assert.ok(performance.now() < end, `systemd did not start: ${stdout}`)
  }
  return { run, dataFolder, ...filesOf(run, configFolder) }
}

type Run = (program: string, args: readonly string[]) => Promise<Result>

/**
 * Follows the section "With systemd" of docs/operating.md, and runs commands under the restrictions of the worker's
 * unit.
 */
function filesOf(run: Run, configFolder: string) {
  const runInside = async (program: string, ...args: string[]) => expectWell(await run(program, args))
  const own = async () => {
    await runInside('chown', '--recursive', 'root:remit', PATHS.config)
    await runInside('chmod', '750', PATHS.config)
  }
  const configure = async (files: Record<string, string>): Promise<void> => {
    for (const [name, content] of Object.entries(files)) {
      await writeFile(join(configFolder, name), content)
      await chmod(join(configFolder, name), 0o640)
    }
    await own()
  }
  const install = async (settings: Settings): Promise<void> => {
    const { REMIT_DATA_DIR: _, ...variables } = variablesOf(settings, PATHS)
    const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`)
    await configure({ 'remit.env': lines.join('') })
    const credentials = {
      'database-url': settings.databaseUrl,
      'migrate-database-url': settings.ownerUrl,
      'master-keys': settings.masterKeys,
    }
    await mkdir(join(configFolder, 'credentials'), { mode: 0o700 })
    for (const [name, content] of Object.entries(credentials))
      await writeFile(join(configFolder, 'credentials', name), content, { mode: 0o600 })
    await runInside('sh', '-c', `cp ${join(root, 'deploy/systemd')}/*.service /etc/systemd/system/`)
    await runInside('systemctl', 'daemon-reload')
  }
  const runCommand = async (args: readonly string[]): Promise<Result> => {
    const unit = commandUnit(await readFile(join(root, 'deploy/systemd/remit-worker.service'), 'utf8'), args)
    await writeFile(join(configFolder, 'remit-command.service'), unit)
    await runInside('cp', `${PATHS.config}/remit-command.service`, '/etc/systemd/system/')
    await runInside('systemctl', 'daemon-reload')
    await run('systemctl', ['start', 'remit-command.service'])
    const status = await runInside('systemctl', 'show', '--property=ExecMainStatus', 'remit-command.service')
    await run('systemctl', ['reset-failed', 'remit-command.service'])
    return {
      code: Number(status.split('=')[1]),
      stdout: await runInside('cat', '/run/remit-command.stdout'),
      stderr: await runInside('cat', '/run/remit-command.stderr'),
    }
  }
  return { configure, install, runCommand }
}

/** The unit of the worker with another command, which ends. */
function commandUnit(worker: string, args: readonly string[]): string {
  const quoted = args.map((arg) => `"${arg.replaceAll('"', '\\"').replaceAll('%', '%%')}"`).join(' ')
  const output = 'StandardOutput=truncate:/run/remit-command.stdout\nStandardError=truncate:/run/remit-command.stderr'
  return worker
    .replace(/^ExecStart=(.*) worker$/m, `ExecStart=$1 ${quoted}\n${output}`)
    .replace(/^Type=exec$/m, 'Type=oneshot')
    .replaceAll(/^(?:Restart|ExecReload).*\n/gm, '')
}
