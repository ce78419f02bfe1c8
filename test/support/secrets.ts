import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'
import type { Pool } from '../../src/db/connect.ts'

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
      const tables = await sql<{ name: string }[]>`
        select table_name as name
        from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE'
      `
      for (const { name } of tables) {
        const rows = await sql<{ row: string }[]>`select t::text as row from ${sql(name)} t`
        const dump = rows.map(({ row }) => row).join('\n')
        const hexDump = dump.toLowerCase()
        for (const secret of secrets) {
          assert.ok(!dump.includes(secret), `the table ${name} holds ${secret} in clear`)
          const hex = Buffer.from(secret).toString('hex')
          assert.ok(!hexDump.includes(hex), `the table ${name} holds ${secret} as bytes`)
        }
      }
    },
  }
}
