import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { readWholeStatements } from '../src/money/statement/statement-read-actions.ts'
import { bai2Lines, camtLines, type SampleLine } from './support/statement-files.ts'

// npm run foreign-statements [FILE…]: compares our readers with PyPI's bai2 and camt053, on our samples and on given
// files. PYTHON is the Python that has both packages: python3 -m venv DIR && DIR/bin/pip install bai2==0.15.0
// camt053==0.0.23

const python = process.env.PYTHON ?? 'python3'
const folder = await mkdtemp(join(tmpdir(), 'remit-foreign-'))

const lines: SampleLine[] = Array.from({ length: 50 }, (_, index) => ({
  cents: (index % 3 === 0 ? -1 : 1) * (index + 1) * 1_013,
  code: index % 3 === 0 ? '451' : '142',
  reference: `R${index}`,
  text: `ACH BATCH ${index}, PART 1/2`,
}))

async function ourSamples(): Promise<string[]> {
  const statement = { account: '123456789', openingCents: 100_000, lines }
  const paths = [join(folder, 'ours.bai'), join(folder, 'ours.xml')] as const
  await writeFile(paths[0], bai2Lines(statement).join('\n'))
  await writeFile(paths[1], camtLines(statement).join('\n'))
  return [...paths]
}

type Row = [account: string | null, kind: string, amount: string | number]

async function ours(path: string, isXml: boolean): Promise<{ own: Row[]; problem: string | null }> {
  const { statements, problems } = await readWholeStatements(await readFile(path), {
    format: null,
    mapping: null,
    today: '2099-12-31',
  })
  const own = statements.flatMap(({ account, lines }) =>
    lines.map(({ cents, code }): Row => {
      const amount = Math.abs(cents)
      return isXml ? [account, cents < 0 ? 'DBIT' : 'CRDT', (amount / 100).toFixed(2)] : [account, code, amount]
    }),
  )
  const [first] = problems.filter(({ scope }) => scope === 'line' || scope === 'file')
  return { own, problem: first ? `${first.place}: ${first.message}` : null }
}

function theirs(path: string, isXml: boolean): Row[] | { error: string } {
  const script = new URL(`./foreign/read-${isXml ? 'camt053' : 'bai2'}.py`, import.meta.url).pathname
  const rows = JSON.parse(execFileSync(python, [script, path], { encoding: 'utf8' }))
  if (!Array.isArray(rows) || !isXml) return rows
  return rows.map(([account, sign, amount]): Row => [account, sign, Number(amount).toFixed(2)])
}

let differences = 0
for (const path of [...(await ourSamples()), ...process.argv.slice(2)]) {
  const isXml = extname(path) === '.xml'
  const { own, problem } = await ours(path, isXml)
  const other = theirs(path, isXml)
  if (!Array.isArray(other))
    console.log(`${path}: ${own.length} lines. The other reader refuses the file: ${other.error}`)
  else if (isDeepStrictEqual(own, other)) console.log(`${path}: ${own.length} lines, no difference`)
  else if (problem !== null)
    console.log(`${path}: ${own.length} lines here, ${other.length} there. Our reader gives the reason: ${problem}`)
  else {
    differences++
    const at = own.findIndex((row, index) => !isDeepStrictEqual(row, other[index]))
    console.log(`${path}: ${own.length} lines here, ${other.length} there. The first difference is line ${at + 1}`)
  }
}
await rm(folder, { recursive: true })
process.exitCode = differences > 0 ? 1 : 0
