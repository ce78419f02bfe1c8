import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../core/errors.ts'
import { type ArchivedFile, tarOf } from '../../lib/files/tar.ts'

export const SDK_URL = '/packages/remit-payments-sdk.tgz'

const FOLDER = fileURLToPath(new URL('../../../../packages/sdk', import.meta.url))

/** Serves the TypeScript client of this service as an npm package, so that `npm install URL` gets the version that belongs to it. */
export function serveSdkPackage(app: FastifyInstance): void {
  let made: Promise<Buffer | null> | null = null
  app.get(SDK_URL, { schema: { hide: true }, config: { access: 'anyone' } }, async (_request, reply) => {
    made ??= packSdk()
    const archive = await made
    if (!archive) throw new ApiError('not_found', { message: 'The SDK is not built. Run: npm run build' })
    return reply.header('cache-control', 'no-cache').type('application/gzip').send(archive)
  })
}

/** Returns the package as `npm pack` would: the same bytes for the same files. Null if it is not built. */
export async function packSdk(dist = join(FOLDER, 'dist')): Promise<Buffer | null> {
  const entries = await readdir(dist, { recursive: true, withFileTypes: true }).catch(() => null)
  if (!entries) return null
  const built = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files = await Promise.all([
    ...['package.json', 'README.md'].map((name) => archived(name, join(FOLDER, name))),
    ...built.toSorted().map((path) => archived(join('dist', relative(dist, path)), path)),
  ])
  return promisify(gzip)(tarOf(files), { level: 9 })
}

const archived = async (name: string, path: string): Promise<ArchivedFile> => ({
  name: `package/${name}`,
  content: await readFile(path),
})
