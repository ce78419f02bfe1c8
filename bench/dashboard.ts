import { parseArgs } from 'node:util'
import { runDashboard } from './dashboard-run.ts'

// npm run bench-dashboard: measures the pages with ten million payments. See docs/performance.md.

const HELP = `npm run bench-dashboard -- [--payments 10000000] [--clicks 50] [--keep FOLDER]

Fills a sandbox with payments, opens its pages in Chromium, and measures clicks in the list of payments until the last row
is painted, Home, and the first byte of an export. Writes bench/results/dashboard.json. Ten million need 30 GB in
REMIT_BENCH_DIR or the folder for temporary files. What was filled in the folder of --keep stays there, and the next run
measures it again.
`

const { values: flags } = parseArgs({
  options: {
    payments: { type: 'string', default: '10000000' },
    clicks: { type: 'string', default: '50' },
    keep: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})

if (flags.help) console.log(HELP)
else await runDashboard({ payments: Number(flags.payments), clicks: Number(flags.clicks), kept: flags.keep ?? null })
