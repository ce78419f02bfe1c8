import type { IsoContract } from '../../src/foundation/core/connections.ts'
import { sampleTerms } from './iso-messages.ts'
import { ISO_SCHEMAS, withoutSchemas } from './iso-schemas.ts'

/** The contract of a bank that accepts orders by ISO 20022 and answers within a day. */
export const isoContract = (changes: Partial<IsoContract> = {}): IsoContract => ({
  terms: sampleTerms,
  account: 'operating',
  holder: { name: 'Example Payments Inc.', address: null },
  bic: 'FIRSUS33',
  cutOffs: { RTP: null, WIRE: '16:30', SWIFT: '14:00' },
  schemaFolder: withoutSchemas ? null : ISO_SCHEMAS,
  reportNames: ['*pain002*', '*camt029*'],
  answerHours: 24,
  ...changes,
})
