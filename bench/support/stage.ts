import type { LoadMethods } from '../load/load-process.ts'
import type { Server } from './database.ts'
import type { Helper } from './helper.ts'
import type { Measurement } from './samples.ts'

/** A measured subject: the service in one use, or a yardstick. */
export type Subject = { name: string; title: string; measure(seconds: number): Promise<Measurement> }

/** A row of the table: two subjects compared in the same run. */
export type Comparison = {
  caseName: string
  subject: string
  /** Null: the figure is reported without a comparison. */
  yardstick: string | null
  /** `rate`: the ratio of requests per second, at least `floor`. `latency`: the ratio of latencies, at most `floor`. */
  of: 'rate' | 'latency'
  floor: number | null
  aim: number | null
}

/** Subjects that are measured alternately, and what they need. */
export type Stage = { subjects: Subject[]; comparisons: Comparison[]; notes: string[]; end(): Promise<void> }

export type StageContext = {
  server: Server
  load: Helper<LoadMethods>
  wanted: (caseName: string) => boolean
  say(text: string): void
}

export type StagePlan = { cases: readonly string[]; prepare(context: StageContext): Promise<Stage> }
