import { parseArgs } from 'node:util'
import { runGrowth } from './growth-run.ts'

// npm run bench-growth: request times with ten thousand, a million and ten million payments. See docs/performance.md.

const HELP = `npm run bench-growth -- [--sizes 10000,1000000,10000000] [--requests 500] [--keep FOLDER]

Fills a database with each number of payments, of which one user has a tenth, and measures requests of that user, one
at a time. Writes bench/results/growth.json. Ten million need 30 GB in REMIT_BENCH_DIR or the folder for temporary files. What was filled in
the folder of --keep stays there, and the next run measures it again.
`

const { values: flags } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,1000000,10000000' },
    requests: { type: 'string', default: '500' },
    keep: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})

if (flags.help) console.log(HELP)
else
  await runGrowth({
    sizes: flags.sizes.split(',').map(Number),
    requests: Number(flags.requests),
    kept: flags.keep ?? null,
  })
