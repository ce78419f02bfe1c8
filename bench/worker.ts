import { parseArgs } from 'node:util'
import { works } from './cases/work.ts'
import { runWork } from './worker-run.ts'

// npm run bench-worker: measures the work of the production worker with many payments, part by part. See
// docs/performance.md.

const kinds = Object.entries(works).map(([name, { title }]) => `  ${name.padEnd(9)}${title}`)

const HELP = `npm run bench-worker -- [--work payroll] [--payments 6000] [--per-second 100] [--alone]

Creates payments, and lets a worker of production do all of its work with them. Prints seconds, CPU, statements and rows for each payment. Then
does so again while other users send so many payments a second, and prints the latency of those. With --alone: only the first part.

Work:
${kinds.join('\n')}
`

const { values: flags } = parseArgs({
  options: {
    work: { type: 'string', default: 'payroll' },
    payments: { type: 'string', default: '6000' },
    'per-second': { type: 'string', default: '100' },
    alone: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  },
})

const work = works[flags.work]
if (flags.help || !work) console.log(HELP)
else {
  const perSecond = flags.alone ? null : Number(flags['per-second'])
  await runWork({ work, count: Number(flags.payments), perSecond })
}
process.exitCode = work ? 0 : 1
