/** The background steps, as logs and metrics name them. */
export const BACKGROUND_STEPS = [
  'deliver webhooks',
  'send mail',
  'invite recipients',
  'do what is due',
  'advance clocks',
  'write ACH files',
  'read ACH files',
  'exchange bank files',
  'follow bank files',
  'write check files',
  'read paid checks',
  'sweep idempotency records',
  'sweep mail',
  'sweep sessions',
  'sweep verifications',
  'sweep tries',
  'sweep recipient links',
  'sweep events',
  'sweep endpoints',
  'give up for closed endpoints',
  'sweep listeners',
  'sweep tokens',
  'verify the ledger',
  'reset the demo',
] as const

export type BackgroundStep = (typeof BACKGROUND_STEPS)[number]
