import { permissionsOf } from '../../foundation/core/permission-rules.ts'
import type { TxDeps } from '../../foundation/db/deps.ts'
import { sendMail } from '../../foundation/mail/mail-actions.ts'
import { endedApprovalMail, newApprovalMail } from './approval-mail-rules.ts'
import { listPeople } from './approval-policy-store.ts'
import type { ApprovalOutcome } from './approval-status.ts'
import { type ApprovalRow, findPlatformName } from './approval-store.ts'

/** Sends a mail to everybody who can release a waiting payment. Only members get mail, because users of a platform have no logins. */
export async function notifyApprovers(deps: TxDeps, row: ApprovalRow): Promise<void> {
  if (row.userId !== row.platformId) return
  const people = await listPeople(deps.sql, row.platformId)
  const approvers = people.filter(
    ({ loginId, role }) => loginId !== row.preparedBy && permissionsOf(role, deps.settings.name).has('release'),
  )
  if (approvers.length === 0) return
  const preparedBy = people.find(({ loginId }) => loginId === row.preparedBy)?.name ?? nameOfOther(row)
  const content = newApprovalMail(deps.settings.name, await itemOf(deps, row), preparedBy)
  for (const { email } of approvers) await sendMail(deps, { to: email, ...content })
}

/** Names a preparer who is not a member. A key that no member created counts as its user. */
const nameOfOther = ({ preparedBy, userId }: ApprovalRow): string =>
  preparedBy === userId ? 'An API key' : 'A former member'

/** Sends a mail to the preparer of a payment about the outcome of the approval, unless the preparer ended it. */
export async function notifyPreparer(
  deps: TxDeps,
  row: ApprovalRow,
  { by, ...end }: { outcome: ApprovalOutcome; by: string | null; reason?: string },
): Promise<void> {
  if (row.userId !== row.platformId || by === row.preparedBy) return
  const people = await listPeople(deps.sql, row.platformId)
  const preparer = people.find(({ loginId }) => loginId === row.preparedBy)
  if (!preparer) return
  const name = people.find(({ loginId }) => loginId === by)?.name ?? 'A former member'
  const content = endedApprovalMail(deps.settings.name, await itemOf(deps, row), { ...end, by: name })
  await sendMail(deps, { to: preparer.email, ...content })
}

const itemOf = async (deps: TxDeps, row: ApprovalRow) => ({
  platform: await findPlatformName(deps.sql, row.platformId),
  amountCents: row.amountCents,
  name: row.name,
  rows: row.kind === 'BATCH' ? (row.details.rows ?? 0) : null,
  url: deps.pageUrl('/approvals'),
})
