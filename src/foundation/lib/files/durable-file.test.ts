import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { replaceFile, writeNewFile } from './durable-file.ts'

const folder = await mkdtemp(join(tmpdir(), 'remit-files-'))
after(() => rm(folder, { recursive: true }))

const modeOf = async (path: string) => (await stat(path)).mode & 0o777

test('a replaced file has the new content, is private, and leaves no draft', async () => {
  const path = join(folder, 'replaced')
  await writeFile(path, 'old', { mode: 0o644 })
  await replaceFile(path, 'new')
  await replaceFile(join(folder, 'created'), Buffer.from('new'))
  assert.deepEqual([await readFile(path, 'utf8'), await modeOf(path)], ['new', 0o600])
  assert.deepEqual(await readdir(folder), ['created', 'replaced'])
})

test('a link at the path is replaced, and its target stays as it is', async () => {
  const [target, path] = [join(folder, 'target'), join(folder, 'link')]
  await writeFile(target, 'untouched')
  await symlink(target, path)
  await replaceFile(path, 'new')
  assert.deepEqual([await readFile(target, 'utf8'), await readFile(path, 'utf8')], ['untouched', 'new'])
})

test('a failed replacement leaves the old file and no draft', async () => {
  const path = join(folder, 'folder')
  await assert.rejects(replaceFile(join(path, 'missing'), 'new'), { code: 'ENOENT' })
  await assert.rejects(replaceFile(folder, 'new'), { code: 'EISDIR' })
  assert.ok(!(await readdir(tmpdir())).some((name) => name.startsWith(`${folder.split('/').at(-1)}.`)))
})

test('a new file is never written over another one', async () => {
  const path = join(folder, 'first')
  await writeNewFile(path, 'first')
  await assert.rejects(writeNewFile(path, 'second'), { code: 'EEXIST' })
  assert.equal(await readFile(path, 'utf8'), 'first')
})
