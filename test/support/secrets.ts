import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'
import type { Pool } from '../../src/foundation/db/connect.ts'
import { partsOfText } from './parts-of-text.ts'
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
      for (const secret of partsOfText(dump, secrets))
        assert.fail(`a table holds ${secret} in clear: ${lineWith(dump, secret)}`)
      const hexOf = (secret: string) => Buffer.from(secret).toString('hex')
      const hexDump = dump.toLowerCase()
      for (const hex of partsOfText(hexDump, [...secrets].map(hexOf))) {
        assert.fail(`a table holds ${Buffer.from(hex, 'hex')} as bytes: ${lineWith(hexDump, hex)}`)
      }
    },
  }
}

function lineWith(text: string, part: string): string {
  const at = text.indexOf(part)
  return text.slice(text.lastIndexOf('\n', at) + 1).split('\n', 1)[0] as string
}
