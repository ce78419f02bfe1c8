import { raw } from 'sql-template-tag'
import type { Fragment } from '../driver/sql.ts'

/**
 * The purposes of statements that read rows of several platforms. Only requests of operators may run such a statement
 * (`test/architecture.test.ts`).
 */
export const CROSSING_PURPOSES = [
  'finds work',
  'reads or writes a file of the bank or the printer',
  'deletes old rows',
  'counts waiting work',
  'serves the operator',
] as const
export type CrossingPurpose = (typeof CROSSING_PURPOSES)[number]

/**
 * Returns a comment that marks a statement about several platforms. On a cluster, such a statement runs on every node. The tests partition
 * tables by platform and refuse statements without the mark.
 */
export const allPlatforms = (purpose: CrossingPurpose): Fragment => raw(`/* all platforms: ${purpose} */`)
