import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { RemitError } from '#sdk'
import { shownPath } from '../../../foundation/lib/files/files.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { plainText } from '../../../foundation/lib/text/plain-text.ts'
import { textTable } from '../../../foundation/lib/text/text-table.ts'
import { readClientConfig } from '../../app/config.ts'
import type { CommandFlags } from '../command-flags.ts'
import { createClient, EXIT, exitCodeOf, problemText } from './api-command.ts'
import { readProfiles, requireProfile, writeProfiles } from './profiles.ts'

const LOCAL_URL = 'http://localhost:4000'
const PROFILE_NAME = /^[\w.-]{1,40}$/

/**
 * Asks for an API key, checks it, and stores it as the current profile. The key comes from `REMIT_KEY` and `REMIT_SECRET`, from a prompt,
 * or from a line `KEY:SECRET` on standard input. It is never an argument, because all users of a machine can see arguments.
 *
 * @returns the exit code
 * @throws StartProblem
 */
export async function runLogin(flags: CommandFlags): Promise<number> {
  const name = flags.profile ?? 'default'
  if (!PROFILE_NAME.test(name)) throw new StartProblem('--profile must be up to 40 letters, digits, dots and dashes.')
  const config = readClientConfig({ ...flags, profile: undefined })
  const known = await readProfiles(config.profilesFile)
  const baseUrl = config.baseUrl ?? LOCAL_URL
  const credential = config.credential ?? (process.stdin.isTTY ? await askCredential(baseUrl) : await readCredential())
  if (!/^[0-9a-f]{32}:[A-Za-z0-9]{40}$/.test(credential))
    throw new StartProblem('The API key must have 32 hex digits, and its secret 40 letters and digits.')
  try {
    const remit = createClient({ baseUrl, credential })
    const { user } = await remit.profile.get()
    const { environment } = await remit.request<{ environment: string }>('GET', '/web/v1/context')
    const [key = '', secret = ''] = credential.split(':')
    known.profiles.set(name, { baseUrl, key, secret })
    await writeProfiles(config.profilesFile, { ...known, current: name })
    const who = plainText(user.business_name ?? [user.first_name, user.last_name].filter(Boolean).join(' '))
    console.log(`Logged in to ${baseUrl} (${plainText(environment)})${who ? ` as ${who}` : ''}.`)
    console.log(`The profile "${name}" is in ${shownPath(config.profilesFile)}.`)
    return EXIT.done
  } catch (error) {
    if (!(error instanceof RemitError)) throw error
    console.error(problemText(error, { baseUrl, origin: 'this API key' }))
    return exitCodeOf(error)
  }
}

/**
 * Asks for an API key and its secret. The prompt stays open from the first question to the last answer, because between two prompts the
 * terminal would show the typed text. Both lines can be pasted together.
 */
async function askCredential(baseUrl: string): Promise<string> {
  console.error(`Create an API key at ${baseUrl}/settings/developer, or take that of .remit/sandbox.json.`)
  let isShown = true
  const write = (chunk: Buffer, _encoding: string, done: () => void) => {
    if (isShown) process.stderr.write(chunk)
    done()
  }
  const prompt = createInterface({ input: process.stdin, output: new Writable({ write }), terminal: true })
  prompt.once('line', () => {
    isShown = false
    process.stderr.write('Secret (not shown): ')
  })
  const lines = prompt[Symbol.asyncIterator]()
  prompt.setPrompt('API key: ')
  prompt.prompt()
  try {
    const [key, secret] = [await lines.next(), await lines.next()]
    if (key.done || secret.done) throw new StartProblem('Canceled.')
    return `${key.value.trim()}:${secret.value.trim()}`
  } finally {
    prompt.close()
    process.stderr.write('\n')
  }
}

async function readCredential(): Promise<string> {
  const given = (await textOf(process.stdin)).trim()
  if (given !== '') return given
  throw new StartProblem('remit login needs a line KEY:SECRET on standard input, or REMIT_KEY and REMIT_SECRET.')
}

/** Lists, chooses and removes profiles. Secrets are not shown. */
export async function runProfiles(flags: CommandFlags, [action = 'list', name = '']: string[]): Promise<number> {
  const { profilesFile } = readClientConfig(flags)
  const known = await readProfiles(profilesFile)
  if (action === 'list') {
    const rows = [...known.profiles].map(([one, { baseUrl, key }]) => ({
      name: one,
      base_url: baseUrl,
      key,
      current: one === known.current,
    }))
    if (flags.json) console.log(JSON.stringify(rows, null, 2))
    else console.log(profileTable(rows))
    return EXIT.done
  }
  requireProfile(known, name)
  if (action === 'remove') {
    known.profiles.delete(name)
    const current = known.current === name ? null : known.current
    await writeProfiles(profilesFile, { ...known, current })
    console.log(`Removed the profile "${name}". Its API key still works: revoke it in the dashboard.`)
    return EXIT.done
  }
  await writeProfiles(profilesFile, { ...known, current: name })
  console.log(`Commands use the profile "${name}" now.`)
  return EXIT.done
}

type ProfileRow = { name: string; base_url: string; key: string; current: boolean }

function profileTable(rows: readonly ProfileRow[]): string {
  if (rows.length === 0) return 'There are no profiles. Run remit login.'
  const cells = rows.map(({ current, name, base_url, key }) => [current ? '*' : '', name, base_url, key])
  return textTable([['', 'NAME', 'URL', 'API KEY'], ...cells])
}
