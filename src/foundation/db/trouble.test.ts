import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classifyDatabaseError, isDatabaseDown, isNodeDown } from './trouble.ts'

/** Error messages of Citus 13.2. */
const errors = {
  'a node that refuses connections': {
    error: {
      code: '08006',
      message: 'connection to the remote node remit@10.0.0.2:5432 failed with the following error: Connection refused',
    },
    is: ['unreachable', true, false],
  },
  'a node that recovers': {
    error: {
      code: '08006',
      message:
        'connection to the remote node remit@10.0.0.2:5432 failed with the following error: FATAL:  the database system is not yet accepting connections',
    },
    is: ['unreachable', true, false],
  },
  'a node that stopped during a statement': {
    error: {
      code: '08006',
      message:
        'connection to the remote node remit@10.0.0.2:5432 failed with the following error: server closed the connection unexpectedly',
    },
    is: ['connection_lost', true, false],
  },
  'a node that is shutting down': {
    error: {
      code: '57P01',
      message: 'terminating connection due to administrator command',
      where: 'while executing command on 10.0.0.2:5432',
    },
    is: ['connection_lost', true, false],
  },
  'a node that is lost at the commit': {
    error: { code: 'XX000', message: 'failure on connection marked as essential: 10.0.0.2:5432' },
    is: ['connection_lost', true, false],
  },
  'a row that a node refuses': {
    error: { code: '23505', message: 'duplicate key value', where: 'while executing command on 10.0.0.2:5432' },
    is: ['other', false, false],
  },
  'the server that is shutting down': {
    error: { code: '57P01', message: 'terminating connection due to administrator command' },
    is: ['connection_lost', false, true],
  },
} as const

for (const [what, { error, is }] of Object.entries(errors)) {
  test(`${what}: what it means for a request, for a platform and for all`, () => {
    assert.deepEqual([classifyDatabaseError(error), isNodeDown(error), isDatabaseDown(error)], is)
  })
}
