import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCOPES } from '../src/foundation/core/scope.ts'
import { scopedRoutes } from '../src/people/oauth/scope-rules.ts'
import { scopeWords } from '../web/src/scope-words.ts'

for (const scope of SCOPES) {
  test(`the consent page names everything that ${scope} allows, and nothing else`, () => {
    const given = scopedRoutes
      .filter(([, , scopes]) => scopes.includes(scope))
      .map(([method, url]) => `${method} ${url}`)
    const said = scopeWords[scope].permissions.flatMap(({ routes }) => routes)
    assert.deepEqual(said.toSorted(), given.toSorted())
  })
}
