import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../support/production-packages.ts'

/** Cleanups at the end of the check, in reverse order. */
export type Lifetime = { after(end: () => Promise<void>): void }

/** The result of a command. */
export type Result = { code: number | null; stdout: string; stderr: string }

/** Folders as the service sees them. */
export type Paths = { config: string; data: string }

/**
 * One way to install Remit: from a package, in a container or with systemd.
 *
 * @property dataFolder the folder of `paths.data` on this machine. The check acts as the bank in it.
 */
export type Installation = {
  paths: Paths
  dataFolder: string
  /** Writes files into the folder of `paths.config`, which the service can read, and others cannot. */
  configure(files: Record<string, string>): Promise<void>
  /** Runs a command of Remit to its end, with the settings of the service. */
  run(args: string[]): Promise<Result>
  /** Runs `remit migrate` as the owner of the tables. */
  migrate(): Promise<Result>
  /** Starts requests and background work. Returns without waiting until they are ready. */
  start(): Promise<Running>
}

export type Running = {
  /** Sends SIGTERM to all processes at once. @returns their exit codes, after the last one has ended */
  stop(): Promise<number[]>
  /** The output of the processes. */
  output(): Promise<string>
}

export type Settings = {
  /** Without secrets. */
  variables: Record<string, string>
  databaseUrl: string
  ownerUrl: string
  masterKeys: string
}

/** The settings without secrets of an installation. */
export const variablesOf = ({ variables }: Settings, { config, data }: Paths): Record<string, string> => ({
  ...variables,
  REMIT_DATA_DIR: data,
  REMIT_PRODUCTION_CONNECTIONS: join(config, 'connections.json'),
  // The authority of the proxy, which `remit doctor` connects to.
  NODE_EXTRA_CA_CERTS: join(config, 'authority.pem'),
})

/** Runs a program to its end. */
export function runProgram(
  program: string,
  args: readonly string[],
  { env = process.env, cwd = root }: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Promise<Result> {
  const child = spawn(program, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...output }))
  })
}

/** Runs a program that must succeed. @returns what it printed */
export async function runWell(...given: Parameters<typeof runProgram>): Promise<string> {
  const { code, stdout, stderr } = await runProgram(...given)
  if (code !== 0) throw new Error(`${given[0]} ${given[1].join(' ')} ended with ${code}:\n${stdout}${stderr}`)
  return stdout
}
