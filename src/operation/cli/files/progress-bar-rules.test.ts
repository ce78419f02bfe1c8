import assert from 'node:assert/strict'
import { test } from 'node:test'
import { progressLine } from './progress-bar-rules.ts'

test('a bar shows the share and the size of the transferred data', () => {
  for (const [doneBytes, totalBytes, line] of [
    [0, 5_000_000, 'a  [------------------------------]  0 %  0.0 of 5.0 MB'],
    [1_040_000, 5_000_000, 'a  [######------------------------]  20 %  1.0 of 5.0 MB'],
    [4_999_999, 5_000_000, 'a  [#############################-]  99 %  5.0 of 5.0 MB'],
    [5_000_000, 5_000_000, 'a  [##############################]  100 %  5.0 of 5.0 MB'],
    [0, 0, 'a  [##############################]  100 %  0.0 of 0.0 MB'],
  ] as const) {
    assert.equal(progressLine('a', { doneBytes, totalBytes }), line)
  }
})
