export type Guide = { file: string; title: string; about: string; group: GuideGroup }

/** The groups of the guides, in the order of the menu. */
export const GUIDE_GROUPS = ['Get started', 'Move money', 'Build', 'Production'] as const
type GuideGroup = (typeof GUIDE_GROUPS)[number]

/** The documents that the service shows, by page name, in the order of the menu. */
export const guides = {
  quickstart: guide('Get started', 'docs/guides/quickstart.md', 'Quickstart', 'Start Remit and send a first check'),
  concepts: guide(
    'Get started',
    'docs/guides/concepts.md',
    'Concepts',
    'Platforms, users, accounts, payments and time',
  ),
  typescript: guide('Get started', 'packages/sdk/README.md', 'TypeScript', 'The client for TypeScript and JavaScript'),
  python: guide('Get started', 'docs/guides/python.md', 'Python', 'A typed client, generated from the API description'),
  sending: guide('Move money', 'docs/guides/sending.md', 'Send payments', 'By email, by mail, and to a known account'),
  receiving: guide(
    'Move money',
    'docs/guides/receiving.md',
    'Receive payments',
    'Deposit payments into accounts and wallets',
  ),
  invoices: guide('Move money', 'docs/guides/invoices.md', 'Invoices', 'Ask for a payment, and repeat payments'),
  approvals: guide('Move money', 'docs/guides/approvals.md', 'Approvals', 'A second person releases a payment'),
  money: guide('Move money', 'docs/money.md', 'Money', 'Statuses, rails, days, returns, and the magic values'),
  'return-codes': guide('Move money', 'docs/return-codes.md', 'Return codes', 'The reasons why payments are returned'),
  oauth: guide('Build', 'docs/guides/oauth.md', 'OAuth applications', 'Act for an account holder'),
  webhooks: guide('Build', 'docs/webhooks.md', 'Webhooks', 'Receive events, check signatures, replay'),
  'webhook-events': guide('Build', 'docs/webhook-events.md', 'Webhook events', 'Every event, its names and its body'),
  commands: guide('Build', 'docs/commands.md', 'Commands', 'Call a service from a terminal or a script'),
  mcp: guide('Build', 'packages/mcp/README.md', 'MCP', 'Payments for language models, read-only'),
  errors: guide('Build', 'docs/guides/errors.md', 'Errors', 'Handle errors by status and code'),
  idempotency: guide('Build', 'docs/guides/idempotency.md', 'Idempotency', 'Repeat a request safely'),
  testing: guide('Build', 'docs/guides/testing.md', 'Testing', 'The clock of the sandbox and the magic values'),
  'going-live': guide(
    'Production',
    'docs/guides/going-live.md',
    'Going live',
    'A list to work through before production',
  ),
  operating: guide('Production', 'docs/operating.md', 'Operating', 'Install, set up, upgrade, monitor, runbook'),
  banks: guide('Production', 'docs/banks.md', 'Banks', 'Connect banks, and lists of checks in their layouts'),
  backup: guide('Production', 'docs/backup.md', 'Backup and restore', 'For operators of production'),
  'background-work': guide(
    'Production',
    'docs/background-work.md',
    'Background work',
    'For operators: when background work fails for one platform',
  ),
} as const

export type GuideName = keyof typeof guides

export const guideNames = Object.keys(guides) as GuideName[]

export const guideUrl = (name: GuideName): string => `/docs/guides/${name}`

/** The pictures of the guides, in `docs/images/`. */
export const guideImages = ['trace.svg'] as const

export const guideImageUrl = (name: string): string => `/docs/guides/images/${name}`

function guide(group: GuideGroup, file: string, title: string, about: string): Guide {
  return { file, title, about, group }
}
