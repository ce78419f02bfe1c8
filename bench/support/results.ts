import type { Machine } from './machine.ts'
import { type Measurement, median } from './samples.ts'
import type { Comparison } from './stage.ts'
import { figure, table } from './table.ts'

export type SubjectResult = { name: string; title: string; runs: Measurement[] }

export type ComparisonResult = Comparison & { ratios: number[]; ratio: number; verdict: Verdict }

export type Verdict = 'aim' | 'floor' | 'missed' | 'stated'

export type Results = {
  takenAt: string
  machine: Machine
  settings: Record<string, string>
  options: { seconds: number; runs: number }
  notes: string[]
  subjects: SubjectResult[]
  comparisons: ComparisonResult[]
}

/** The ratio to the yardstick in each run, and the median ratio. */
export function compare(comparison: Comparison, subjects: readonly SubjectResult[]): ComparisonResult {
  const runsOf = (name: string | null) => subjects.find((subject) => subject.name === name)?.runs ?? []
  const value = (run: Measurement | undefined) => (comparison.of === 'rate' ? run?.perSecond : run?.p50) ?? Number.NaN
  const yardstick = runsOf(comparison.yardstick)
  const ratios = runsOf(comparison.subject).map((run, index) => value(run) / value(yardstick[index]))
  const ratio = median(ratios)
  return { ...comparison, ratios, ratio, verdict: verdictOf(comparison, ratio) }
}

function verdictOf({ of, floor, aim }: Comparison, ratio: number): Verdict {
  if (floor === null || aim === null) return 'stated'
  const reaches = (bound: number) => (of === 'rate' ? ratio >= bound : ratio <= bound)
  if (reaches(aim)) return 'aim'
  return reaches(floor) ? 'floor' : 'missed'
}

/** The median of a subject's runs. */
export const medianOf = ({ runs }: SubjectResult, key: 'perSecond' | 'p50' | 'p95' | 'p99'): number =>
  median(runs.map((run) => run[key]))

/** The spread of the runs, as a fraction of their median. */
export function spreadOf(subject: SubjectResult): number {
  const rates = subject.runs.map(({ perSecond }) => perSecond)
  return (Math.max(...rates) - Math.min(...rates)) / median(rates)
}

export function subjectTable(subjects: readonly SubjectResult[]): string[] {
  const rows = subjects.map((subject) => [
    subject.title,
    figure(medianOf(subject, 'perSecond')),
    `${Math.round(100 * spreadOf(subject))} %`,
    figure(medianOf(subject, 'p50')),
    figure(medianOf(subject, 'p95')),
    figure(medianOf(subject, 'p99')),
    cpuText(subject),
  ])
  return table(['', 'a second', 'spread', 'p50 ms', 'p95 ms', 'p99 ms', 'CPU of one, µs'], rows)
}

function cpuText({ runs }: SubjectResult): string {
  const names = Object.keys(runs[0]?.cpu ?? {})
  return names.map((name) => `${name} ${figure(median(runs.map(({ cpu }) => cpu?.[name] ?? 0)))}`).join(', ')
}

export function comparisonTable({ subjects, comparisons }: Pick<Results, 'subjects' | 'comparisons'>): string[] {
  const titleOf = (name: string | null) => subjects.find((subject) => subject.name === name)?.title ?? '–'
  const bound = ({ of }: Comparison, value: number | null) =>
    value === null ? '–' : `${of === 'rate' ? '≥' : '≤'} ${value} ×`
  const rows = comparisons.map((one) => [
    `${one.caseName}: ${titleOf(one.subject)}`,
    titleOf(one.yardstick),
    `${figure(one.ratio)} ×`,
    `${figure(Math.min(...one.ratios))} – ${figure(Math.max(...one.ratios))}`,
    bound(one, one.floor),
    bound(one, one.aim),
    verdictTexts[one.verdict],
  ])
  return table(['case', 'against', 'ratio', 'of the runs', 'floor', 'aim', ''], rows)
}

const verdictTexts: Record<Verdict, string> = { aim: 'aim met', floor: 'floor met', missed: 'MISSED', stated: '' }

export function headLines({ machine, settings, options }: Pick<Results, 'machine' | 'settings' | 'options'>): string[] {
  const { fdatasyncMs: sync } = machine
  return [
    `Remit ${machine.remit} (${machine.commit}), Node ${machine.node}, ${machine.system}`,
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB; database, service and load share them`,
    `PostgreSQL as read from the server: ${Object.entries(settings)
      .map(([name, value]) => `${name}=${value}`)
      .join(' ')}`,
    `fdatasync of 8 KiB on the disk of the database: p50 ${figure(sync.p50)} ms, p99 ${figure(sync.p99)} ms`,
    `${options.runs} runs of ${options.seconds} s each, in turn`,
  ]
}
