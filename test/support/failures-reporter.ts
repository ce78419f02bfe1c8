import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/** Writes each failed test as a line of JSON. Suites fail with their tests, and are left out. */
export default async function* failures(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:fail' || isOfItsTests(data.details.error)) continue
    yield `${JSON.stringify({ file: relative('', data.file ?? ''), name: data.name })}\n`
  }
}

const isOfItsTests = (error: unknown): boolean =>
  (error as { failureType?: string } | undefined)?.failureType === 'subtestsFailed'
