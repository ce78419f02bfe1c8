import { raw } from 'sql-template-tag'
import type { Fragment } from '../driver/sql.ts'

/** What a statement about the rows of several platforms can be for. None is part of a request (`test/architecture.test.ts`). */
export const CROSSING_PURPOSES = [
  'finds work',
  'reads or writes a file of the bank or the printer',
  'deletes old rows',
  'counts waiting work',
  'serves the operator',
] as const
export type CrossingPurpose = (typeof CROSSING_PURPOSES)[number]

/**
 * A comment at the start of a statement that touches several platforms. On a cluster it goes to every node. The tests run on tables that
 * are partitioned by platform and refuse such statements without this mark.
 */
export const allPlatforms = (purpose: CrossingPurpose): Fragment => raw(`/* all platforms: ${purpose} */`)
