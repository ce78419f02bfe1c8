import { join } from 'node:path'
import { ApiError } from '../../foundation/core/errors.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { createPrivateFolder, readIfThere, writePrivateFile } from '../../foundation/lib/files/files.ts'
import { isId, newSecret } from '../../foundation/lib/ids.ts'
import { isSecretOf } from '../../foundation/lib/secret.ts'
import { createOwner } from '../../people/auth/owner/owner-actions.ts'
import { findApiKeys } from '../../people/user/api-key/api-key-store.ts'

/** The file that `npm start` writes to the data directory (specification.md 1.1). */
export type FirstOwnerFile = {
  environment: string
  base_url: string
  auth_url: string
  database_url: string
  email: string
  password: string
  key: string
  secret: string
  webhook_key: string
}

type OwnerPart = Pick<FirstOwnerFile, 'email' | 'password' | 'key' | 'secret' | 'webhook_key'>

/**
 * Writes two files: `<environment>.json` with the URLs of this start and an owner's credentials, and a file with the `Authorization` header
 * for `curl -H @…`. The owner of the previous start is kept if its key still works.
 *
 * @returns the owner, and the paths of both files
 * @throws StartProblem
 */
export async function writeFirstOwner(
  deps: Deps,
  place: { dataDir: string; baseUrl: string; databaseUrl: string },
): Promise<{ email: string; path: string; headers: string }> {
  await createPrivateFolder(place.dataDir)
  const environment = deps.settings.name
  const path = join(place.dataDir, `${environment}.json`)
  const owner = (await readOwner(deps, path)) ?? (await createOwnerForStart(deps))
  const content: FirstOwnerFile = {
    environment,
    base_url: place.baseUrl,
    auth_url: place.baseUrl,
    database_url: place.databaseUrl,
    ...owner,
  }
  await writePrivateFile(path, `${JSON.stringify(content, null, 2)}\n`)
  const headers = join(place.dataDir, `${environment}.headers`)
  await writePrivateFile(headers, `Authorization: ${owner.key}:${owner.secret}\n`)
  return { email: owner.email, path, headers }
}

async function readOwner(deps: Deps, path: string): Promise<OwnerPart | null> {
  const text = await readIfThere(path)
  if (text === null) return null
  const owner = parseOwner(text)
  return owner && (await isKnown(deps, owner)) ? owner : null
}

/** Parses the file. Returns null if it is damaged or was written by another program. It is then overwritten. */
function parseOwner(text: string): OwnerPart | null {
  try {
    const { email, password, key, secret, webhook_key } = JSON.parse(text)
    const owner = { email, password, key, secret, webhook_key }
    return Object.values(owner).every((value) => typeof value === 'string') ? owner : null
  } catch {
    return null
  }
}

async function isKnown(deps: Deps, { key, secret }: OwnerPart): Promise<boolean> {
  const [row = null] = isId(key) ? await findApiKeys(deps.sql, [key]) : []
  return row !== null && isSecretOf(secret, row.secretHash)
}

async function createOwnerForStart(deps: Deps): Promise<OwnerPart> {
  const password = newSecret(deps).slice(0, 20)
  for (const suffix of ['', `-${deps.random.bytes(4).toString('hex')}`]) {
    const email = `owner${suffix}@example.com`
    try {
      const { apiKey, webhookKey } = await inTransaction(deps, (tx) =>
        createOwner(tx, { email, password, name: 'First Owner' }),
      )
      return { email, password, key: apiKey.key, secret: apiKey.secret, webhook_key: webhookKey }
    } catch (error) {
      // Another data directory that uses the same database may already have created an owner with this email.
      if (!(error instanceof ApiError && error.code === 'email_taken')) throw error
    }
  }
  throw new Error('no email address is free for the first owner')
}
