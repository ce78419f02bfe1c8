import { parseArgs } from 'node:util'
import { CASES, runBench } from './run.ts'

// npm run bench: compares the service with baselines measured in the same run, so that the ratios hold on any machine.
// See docs/performance.md.

const HELP = `npm run bench -- [--only CASE,CASE] [--seconds 10] [--runs 5]

Measures the service, each case in turn with its yardsticks, and writes bench/results/latest.json. With --only, it
writes bench/results/only.json, which git ignores.
It brings its own PostgreSQL, in REMIT_BENCH_DIR or the folder for temporary files.

Cases: ${CASES.join(', ')}
`

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    seconds: { type: 'string', default: '10' },
    runs: { type: 'string', default: '5' },
    help: { type: 'boolean', short: 'h' },
  },
})

const chosen = flags.only?.split(',') ?? CASES
const isKnown = chosen.every((name) => CASES.includes(name))
if (flags.help || !isKnown) console.log(HELP)
else await runBench(chosen, { seconds: Number(flags.seconds), runs: Number(flags.runs) })
process.exitCode = isKnown ? 0 : 1
