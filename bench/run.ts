import { mkdir, writeFile } from 'node:fs/promises'
import { ledgerCases } from './cases/ledger.ts'
import { lifeCases } from './cases/life.ts'
import { paymentCases } from './cases/payments.ts'
import { readCases } from './cases/reads.ts'
import { refreshCases } from './cases/refresh.ts'
import { returnsCases } from './cases/returns.ts'
import { webhookCases } from './cases/webhooks.ts'
import type { LoadMethods } from './load/load-process.ts'
import { startServer } from './support/database.ts'
import { startHelper } from './support/helper.ts'
import { describeMachine } from './support/machine.ts'
import { createProgress } from './support/progress.ts'
import {
  compare,
  comparisonTable,
  headLines,
  type Results,
  type SubjectResult,
  subjectTable,
} from './support/results.ts'
import type { Stage, StageContext, StagePlan } from './support/stage.ts'

const plans: StagePlan[] = [paymentCases, readCases, refreshCases, webhookCases, lifeCases, ledgerCases, returnsCases]

export const CASES: readonly string[] = plans.flatMap(({ cases }) => cases)

/** Seconds of warm-up, until V8 has compiled the frequently used code. */
const MIN_WARM_UP_SECONDS = 5

/** Measures the chosen cases, prints the tables and writes them to `results/latest.json`, or to `only.json` if cases are missing. */
export async function runBench(chosen: readonly string[], options: Results['options']): Promise<void> {
  const progress = createProgress()
  progress.say('starting PostgreSQL')
  const server = await startServer()
  const load = startHelper<LoadMethods>('load/load-process.ts')
  const context = { server, load, wanted: (name: string) => chosen.includes(name), say: progress.say }
  const results: Results = {
    takenAt: new Date().toISOString(),
    machine: describeMachine(server.folder),
    settings: server.settings,
    options,
    notes: [],
    subjects: [],
    comparisons: [],
  }
  // An interrupted run leaves no server behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void server.stop().finally(process.exit))
  try {
    for (const plan of plans.filter(({ cases }) => cases.some(context.wanted))) {
      await runStage(plan, { context, results })
    }
  } finally {
    progress.done()
    await load.end()
    await server.stop()
  }
  console.log(['', ...headLines(results), '', ...subjectTable(results.subjects), ''].join('\n'))
  console.log([...comparisonTable(results), '', ...results.notes, ''].join('\n'))
  await writeResults(results, CASES.every(context.wanted) ? 'latest.json' : 'only.json')
}

type Run = { context: StageContext; results: Results }

async function runStage(plan: StagePlan, { context, results }: Run): Promise<void> {
  const stage = await plan.prepare(context)
  try {
    const comparisons = stage.comparisons.filter(({ caseName }) => context.wanted(caseName))
    const names = new Set(comparisons.flatMap(({ subject, yardstick }) => [subject, yardstick ?? subject]))
    const subjects = await measureInTurn(
      { ...stage, subjects: stage.subjects.filter(({ name }) => names.has(name)) },
      { context, results },
    )
    results.subjects.push(...subjects)
    results.comparisons.push(...comparisons.map((comparison) => compare(comparison, subjects)))
    results.notes.push(...stage.notes)
  } finally {
    await stage.end()
  }
}

/** Alternates between subjects (A B C A B C), so that changes on the machine affect all of them. The first round is a warm-up. */
async function measureInTurn({ subjects }: Stage, { context, results }: Run): Promise<SubjectResult[]> {
  const { seconds, runs } = results.options
  for (const { title, measure } of subjects) {
    context.say(`warming up: ${title}`)
    await measure(Math.max(MIN_WARM_UP_SECONDS, seconds))
  }
  const measured = subjects.map(({ name, title }): SubjectResult => ({ name, title, runs: [] }))
  for (let index = 1; index <= runs; index++) {
    for (const [place, { title, measure }] of subjects.entries()) {
      context.say(`run ${index} of ${runs}, ${place + 1} of ${subjects.length}: ${title}`)
      measured[place]?.runs.push(await measure(seconds))
    }
  }
  return measured
}

async function writeResults(results: Results, file: string): Promise<void> {
  const folder = new URL('./results/', import.meta.url)
  await mkdir(folder, { recursive: true })
  await writeFile(new URL(file, folder), `${JSON.stringify(results, roundedTo5, 1)}\n`)
}

function roundedTo5(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(5)) : value
}
