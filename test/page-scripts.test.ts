import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

// The scripts that `npm run build` writes for the pages. web/vite.config.ts assigns modules to scripts.

const folder = fileURLToPath(new URL('../web/dist/assets', import.meta.url))

/** Which scripts each script imports when it starts. */
async function readImports(): Promise<Map<string, string[]>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js'))
  const entries = names.map(async (name) => {
    const text = await readFile(join(folder, name), 'utf8')
    const imported = [...text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)].map(([, other]) => other as string)
    return [name, imported] as const
  })
  return new Map(await Promise.all(entries))
}

/** Returns a path from a script back to itself, or null. */
function findCircle(imports: Map<string, string[]>): string[] | null {
  const finished = new Set<string>()
  const visit = (name: string, path: string[]): string[] | null => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name]
    if (finished.has(name)) return null
    for (const other of imports.get(name) ?? []) {
      const circle = visit(other, [...path, name])
      if (circle) return circle
    }
    finished.add(name)
    return null
  }
  for (const name of imports.keys()) {
    const circle = visit(name, [])
    if (circle) return circle
  }
  return null
}

test('no scripts of the pages import each other in a circle, because one would run before its dependency', async () => {
  const imports = await readImports()
  assert.ok([...imports.values()].flat().length > imports.size, 'the imports were not read')
  assert.equal(findCircle(imports), null)
})
