import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import type { TxDeps } from '../../foundation/db/deps.ts'
import { sendMail } from '../../foundation/mail/mail-actions.ts'
import { type MailBrand, type MailPart, mailBody } from '../../foundation/mail/mail-rules.ts'
import type { PaymentKey } from '../payment/payment-types.ts'
import { claimRecipientMail, type MailClaim } from './recipient-mail-store.ts'
import { MAIL_LIMITS } from './recipient-rules.ts'
import { recipientDigest, unsubscribeToken } from './unsubscribe-actions.ts'

/** Counts a mail to a recipient before it is written. Only a VERIFIED owner learns whether mail to the address is suppressed. */
export async function claimMail(
  deps: TxDeps,
  { platformId, paymentId, recipient }: PaymentKey & { recipient: string },
): Promise<MailClaim> {
  const claim = await claimRecipientMail(deps.sql, {
    platformId,
    emailDigest: await recipientDigest(deps, recipient, platformId),
    now: deps.realClock.now(),
    maxNewRecipients: deps.settings.newRecipientsADay,
    ...MAIL_LIMITS,
    // If a request can make an owner VERIFIED, that status is no reason for trust.
    trustsVerified: !deps.settings.canTriggerOutcomes,
  })
  const service = { platformId, userId: null, credential: { kind: 'service' }, origin: null } as const
  if (claim.isFirst) await recordAudit(deps, service, 'recipient_mail_limited', paymentId)
  if (claim.outcome === 'suppressed' && claim.isVerified) {
    await recordAudit(deps, service, 'recipient_mail_refused', paymentId)
  }
  return claim
}

/** Mails a recipient in the brand of the sender, with a link to refuse further mail. */
export async function mailRecipient(
  deps: TxDeps,
  baseUrl: string,
  { to, subject, parts, brand }: { to: string; subject: string; parts: readonly MailPart[]; brand: MailBrand },
): Promise<void> {
  const unsubscribeUrl = `${baseUrl}/unsubscribe/${unsubscribeToken(deps, to)}`
  const footer = ['To stop emails about payments from this service:', { label: 'Unsubscribe', url: unsubscribeUrl }]
  await sendMail(deps, { to, subject, ...mailBody(parts, { footer, brand }), unsubscribeUrl })
}
