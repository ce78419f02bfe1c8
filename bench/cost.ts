import { mkdir, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { costLines, measureCost } from './cases/cost.ts'
import { enduranceLines, measureEndurance } from './cases/endurance.ts'

// npm run bench-cost: start-up time, bytes of a payment, memory, and behavior under twice the sustainable load.

const HELP = `npm run bench-cost -- [--seconds 20]
npm run bench-cost -- --minutes 60 [--per-second 300]

With --minutes: only the memory of the service, while so many requests a second come for so long. Writes
bench/results/cost.json or endurance.json.
`

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    minutes: { type: 'string' },
    'per-second': { type: 'string', default: '300' },
    help: { type: 'boolean', short: 'h' },
  },
})

async function writeResults(name: string, results: object): Promise<void> {
  const folder = new URL('./results/', import.meta.url)
  await mkdir(folder, { recursive: true })
  await writeFile(new URL(name, folder), `${JSON.stringify(results, null, 1)}\n`)
}

if (flags.help) console.log(HELP)
else if (flags.minutes) {
  const endurance = await measureEndurance({ minutes: Number(flags.minutes), perSecond: Number(flags['per-second']) })
  console.log(enduranceLines(endurance).join('\n'))
  await writeResults('endurance.json', endurance)
} else {
  const cost = await measureCost({ seconds: Number(flags.seconds) })
  console.log(costLines(cost).join('\n'))
  await writeResults('cost.json', cost)
}
