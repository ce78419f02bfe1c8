import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'
import type { Pool } from '../../src/db/connect.ts'
import { readEachTable } from './rows.ts'

/** Shorter secrets would occur by chance. */
const MIN_LENGTH = 8

/** Secrets that a test sent or received. Neither the database nor the log may contain one in clear text. */
export type Secrets = { add(secret: string): void; refuseIn(sql: Pool): Promise<void> }

export function collectSecrets(): Secrets {
  const secrets = new Set<string>()
  return {
    add: (secret) => {
      if (secret.length < MIN_LENGTH || secrets.has(secret)) return
      secrets.add(secret)
      const file = process.env.TEST_RUN_SECRETS
      if (file) appendFileSync(file, `${secret}\n`)
    },
    refuseIn: async (sql) => {
      const rows = await readEachTable<{ row: string }>(sql, sql`t::text as row`)
      const dump = rows.map(({ table, row }) => `${table}: ${row}`).join('\n')
      const hexDump = dump.toLowerCase()
      for (const secret of secrets) {
        assert.equal(lineWith(dump, secret), null, `a table holds ${secret} in clear`)
        assert.equal(lineWith(hexDump, Buffer.from(secret).toString('hex')), null, `a table holds ${secret} as bytes`)
      }
    },
  }
}

function lineWith(text: string, part: string): string | null {
  const at = text.indexOf(part)
  return at === -1 ? null : (text.slice(text.lastIndexOf('\n', at) + 1).split('\n', 1)[0] as string)
}
