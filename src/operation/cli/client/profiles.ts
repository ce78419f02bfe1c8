import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createPrivateFolder, readIfThere, writePrivateFile } from '../../../foundation/lib/files/files.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'

/** A service and an API key for it, stored by `remit login`. */
export type Profile = { baseUrl: string; key: string; secret: string }

/** The stored profiles. `current`: the profile for commands that name none. */
export type Profiles = { current: string | null; profiles: Map<string, Profile> }

/** Reads the profiles. @throws StartProblem if the file is damaged, or if other users can read its secrets */
export async function readProfiles(path: string): Promise<Profiles> {
  const text = await readIfThere(path)
  if (text === null) return { current: null, profiles: new Map() }
  if (((await stat(path)).mode & 0o077) !== 0)
    throw new StartProblem(`Other users can read ${path}. Run: chmod 600 ${path}`)
  const profiles = parseProfiles(text)
  if (!profiles) throw new StartProblem(`${path} is damaged. Delete it and run remit login.`)
  return profiles
}

/** Writes the profiles into a file that only this user can read. @throws StartProblem */
export async function writeProfiles(path: string, { current, profiles }: Profiles): Promise<void> {
  const entries = [...profiles].map(([name, { baseUrl, key, secret }]) => [name, { base_url: baseUrl, key, secret }])
  await createPrivateFolder(dirname(path))
  await writePrivateFile(path, `${JSON.stringify({ current, profiles: Object.fromEntries(entries) }, null, 2)}\n`)
}

/** Returns a profile. @throws StartProblem if it does not exist */
export function requireProfile({ profiles }: Profiles, name: string): Profile {
  const profile = profiles.get(name)
  if (profile) return profile
  const known = profiles.size > 0 ? `Choose one of: ${[...profiles.keys()].join(', ')}.` : 'Run remit login.'
  throw new StartProblem(`There is no profile ${JSON.stringify(name)}. ${known}`)
}

function parseProfiles(text: string): Profiles | null {
  try {
    const { current, profiles } = JSON.parse(text)
    const entries = Object.entries(profiles as Record<string, Record<string, string>>)
    const parsed = entries.map(([name, { base_url, key, secret }]) => {
      if (![base_url, key, secret].every((value) => typeof value === 'string')) throw new Error('a field is missing')
      return [name, { baseUrl: base_url, key, secret } as Profile] as const
    })
    return { current: typeof current === 'string' ? current : null, profiles: new Map(parsed) }
  } catch {
    return null
  }
}
