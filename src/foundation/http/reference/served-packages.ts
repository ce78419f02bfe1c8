import { access, glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../core/errors.ts'
import { tarOf } from '../../lib/files/tar.ts'

/** The packages that the service offers for download, with the folders that a build creates for each. */
const packages = {
  'remit-payments-sdk': { folder: 'packages/sdk', built: ['dist'] },
  'remit-payments-mcp': { folder: 'packages/mcp', built: ['dist'] },
  'remit-payments': { folder: '.', built: ['web/dist', 'packages/sdk/dist', 'packages/mcp/dist'] },
} as const

export type PackageName = keyof typeof packages

export const PACKAGE_NAMES = Object.keys(packages) as PackageName[]

const PROJECT = fileURLToPath(new URL('../../../../', import.meta.url))

export const packageUrl = (name: PackageName): string => `/packages/${name}.tgz`

/** Serves the packages of this version, so that `npm install URL` gets the version that matches the service. */
export function servePackages(app: FastifyInstance): void {
  for (const name of PACKAGE_NAMES) {
    let made: Promise<Buffer | null> | null = null
    app.get(packageUrl(name), { schema: { hide: true }, config: { access: 'anyone' } }, async (_request, reply) => {
      made ??= packPackage(name)
      const archive = await made
      if (!archive) throw new ApiError('not_found', { message: `${name} is not built. Run: npm run build` })
      return reply.header('cache-control', 'no-cache').type('application/gzip').send(archive)
    })
  }
}

/** Returns a package as `npm pack` would create it. The same files give the same bytes. Returns null if the package is not built. */
export async function packPackage(
  name: PackageName,
  folder = join(PROJECT, packages[name].folder),
): Promise<Buffer | null> {
  const isBuilt = packages[name].built.map((path) => access(join(folder, path)))
  if ((await Promise.allSettled(isBuilt)).some(({ status }) => status === 'rejected')) return null
  const paths = await packedPaths(folder)
  const files = paths.map(async (path) => ({ name: `package/${path}`, content: await readFile(join(folder, path)) }))
  return promisify(gzip)(tarOf(await Promise.all(files)), { level: 9 })
}

/** Lists the files that `files` in package.json names, and those that npm always adds. */
async function packedPaths(folder: string): Promise<string[]> {
  const { files } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { files: string[] }
  const named = files.filter((entry) => !entry.startsWith('!')).flatMap((entry) => [entry, `${entry}/**`])
  const left = files.filter((entry) => entry.startsWith('!')).map((entry) => entry.slice(1))
  const found = glob([...named, 'package.json', 'README.md', 'LICENSE'], {
    cwd: folder,
    exclude: left,
    withFileTypes: true,
  })
  const paths = new Set<string>()
  for await (const entry of found)
    if (entry.isFile()) paths.add(join(entry.parentPath, entry.name).slice(folder.replace(/\/$/, '').length + 1))
  return [...paths].toSorted()
}
