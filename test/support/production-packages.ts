import { constants } from 'node:fs'
import { cp, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

type Entry = { dev?: boolean; optional?: boolean; devOptional?: boolean; link?: boolean }

/** A package that npm installs, by its folder below the root: `node_modules/pg`. */
export type ProductionPackage = { folder: string; name: string; isOptional: boolean }

/** The packages of `npm ci --omit=dev`, from the lock file. */
export async function productionPackages(): Promise<ProductionPackage[]> {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Entry>
  }
  return Object.entries(packages)
    .filter(([folder, { dev, link }]) => folder.startsWith('node_modules/') && !dev && !link)
    .map(([folder, { optional, devOptional }]) => ({
      folder,
      name: folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length),
      isOptional: optional === true || devOptional === true,
    }))
}

/** Copies the required packages, as `npm ci --omit=dev --omit=optional` installs them. */
export async function copyRequiredPackages(to: string): Promise<void> {
  for (const { folder, isOptional } of await productionPackages()) {
    if (isOptional) continue
    await cp(join(root, folder), join(to, folder), {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
      filter: (source) => source === join(root, folder) || !source.endsWith('/node_modules'),
    })
  }
}

/** The size of the files of packages in megabytes, without nested packages, which the lock file also lists. */
export async function sizeMb(packages: ProductionPackage[]): Promise<number> {
  const sizes = await Promise.all(packages.map(({ folder }) => sizeOf(join(root, folder))))
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []) // of another platform
  const sizes = await Promise.all(
    entries.map((entry) => {
      if (entry.isDirectory()) return entry.name === 'node_modules' ? 0 : sizeOf(join(folder, entry.name))
      return entry.isFile() ? stat(join(folder, entry.name)).then(({ size }) => size) : 0
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
