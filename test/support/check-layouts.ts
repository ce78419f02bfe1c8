import assert from 'node:assert/strict'
import { layoutPath, readLayout } from '../../src/connections/config/layout-actions.ts'
import { layoutProblems } from '../../src/connections/config/layout-problem-rules.ts'
import type { LayoutFile } from '../../src/connections/config/layout-schema-rules.ts'
import { layoutOf } from '../../src/connections/config/layout-view-rules.ts'
import { type CheckLayout, SHIPPED_LAYOUTS } from '../../src/foundation/core/check-layout.ts'

type Name = (typeof SHIPPED_LAYOUTS)[number]

async function read(name: Name): Promise<CheckLayout> {
  const reading = await readLayout(layoutPath(name, '/'))
  assert.ok(reading.layout, JSON.stringify(reading))
  return reading.layout
}

const shipped = await Promise.all(SHIPPED_LAYOUTS.map(async (name) => [name, await read(name)] as const))

/** The layouts in this package. */
export const layouts = Object.fromEntries(shipped) as Record<Name, CheckLayout>

/** A layout without faults. */
export function layoutFrom(file: LayoutFile): CheckLayout {
  assert.deepEqual(layoutProblems(file), [])
  return layoutOf(file)
}

/** The default layout with a list of paid checks with other headings. */
export const namedColumns = (names: Partial<Record<'number' | 'amount' | 'account' | 'date' | 'status', string>>) => {
  const lines = Object.entries(names).map(([field, name]) => ({ field, name }))
  const issueLine = [
    { field: 'number' },
    { field: 'amount' },
    { field: 'action', codes: { issue: 'I', void: 'V', stop: 'S' } },
  ]
  const { paidList } = layoutFrom({
    form: 'csv',
    issue_file: { lines: issueLine },
    paid_list: { form: 'csv', headings: true, lines },
  })
  return { ...layouts['csv-with-headings'], paidList }
}
