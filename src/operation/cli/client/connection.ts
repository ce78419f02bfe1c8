import { join } from 'node:path'
import { readIfThere, shownPath } from '../../../foundation/lib/files/files.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { type ClientConfig, readClientConfig } from '../../app/config.ts'
import type { FirstOwnerFile } from '../../app/first-owner.ts'
import type { CommandFlags } from '../command-flags.ts'
import { type Profile, readProfiles, requireProfile } from './profiles.ts'

/** A running service, and the credential for calls to it. */
export type Connection = {
  baseUrl: string
  /** The API key and its secret, in the format of the header. */
  credential: string
  /** A description of the credential's source, for messages: `the key in .remit/sandbox.json`. */
  origin: string
  /** The sandbox file that contains the credential, for messages. Null: it comes from another source. */
  file: string | null
  dataDir: string
}

/**
 * Finds the service and the credential. They come from the variables, from the profile, or else from the files that `npm start` wrote into
 * the data directory. A data directory that an option names takes precedence over the current profile.
 *
 * @throws StartProblem
 */
export async function findConnection(flags: CommandFlags): Promise<Connection> {
  const config = readClientConfig(flags)
  const { dataDir, baseUrl, credential } = config
  const variables = { credential: credential ?? '', origin: 'REMIT_KEY and REMIT_SECRET', file: null, dataDir }
  if (credential !== null && baseUrl !== null) return { ...variables, baseUrl }
  const profile = credential === null ? await findProfile(config, { isFolderGiven: flags.dataDir !== undefined }) : null
  if (profile) return { ...profile, file: null, dataDir }
  const path = join(dataDir, 'sandbox.json')
  const found = parseFirstOwner(await readIfThere(path))
  if (!found) throw new StartProblem(missing(config, shownPath(path)))
  if (credential !== null) return { ...variables, baseUrl: found.base_url }
  // The file is only valid for the service that wrote it.
  if (baseUrl !== null && baseUrl !== found.base_url) {
    throw new StartProblem(
      `${shownPath(path)} belongs to ${found.base_url}. For ${baseUrl}, set REMIT_KEY and REMIT_SECRET.`,
    )
  }
  const file = shownPath(path)
  const origin = `the key in ${file}`
  return { baseUrl: found.base_url, credential: `${found.key}:${found.secret}`, origin, file, dataDir }
}

async function findProfile(
  { profile: name, profilesFile, baseUrl }: ClientConfig,
  { isFolderGiven }: { isFolderGiven: boolean },
): Promise<Pick<Connection, 'baseUrl' | 'credential' | 'origin'> | null> {
  if (name === null && isFolderGiven) return null
  const known = await readProfiles(profilesFile)
  const chosen = name ?? known.current
  if (chosen === null) return null
  const profile = requireProfile(known, chosen)
  if (baseUrl === null || baseUrl === profile.baseUrl) return connectionOf(chosen, profile)
  if (name === null) return null
  throw new StartProblem(`The profile ${JSON.stringify(name)} belongs to ${profile.baseUrl}, not to ${baseUrl}.`)
}

const connectionOf = (name: string, { baseUrl, key, secret }: Profile) => ({
  baseUrl,
  credential: `${key}:${secret}`,
  origin: `the key of the profile ${JSON.stringify(name)}`,
})

type Known = Pick<FirstOwnerFile, 'base_url' | 'key' | 'secret'>

function parseFirstOwner(text: string | null): Known | null {
  try {
    const { base_url, key, secret } = JSON.parse(text ?? '')
    return [base_url, key, secret].every((value) => typeof value === 'string') ? { base_url, key, secret } : null
  } catch {
    return null
  }
}

function missing({ credential }: ClientConfig, path: string): string {
  const given = credential === null ? '--base-url, REMIT_KEY and REMIT_SECRET' : '--base-url'
  return `There is no sandbox in this folder (${path}). Start one with "npm start", run remit login, or set ${given}.`
}
