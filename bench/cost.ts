import { mkdir, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { costLines, measureCost } from './cases/cost.ts'

// npm run bench-cost: start-up time, bytes of a payment, memory, and what becomes of twice the load that can be taken.

const { values: flags } = parseArgs({ options: { seconds: { type: 'string', default: '20' } } })

const cost = await measureCost({ seconds: Number(flags.seconds) })
console.log(costLines(cost).join('\n'))
const folder = new URL('./results/', import.meta.url)
await mkdir(folder, { recursive: true })
await writeFile(new URL('cost.json', folder), `${JSON.stringify(cost, null, 1)}\n`)
