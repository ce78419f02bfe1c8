import type { EnvironmentName } from '../../../foundation/core/environment.ts'
import type { Role } from '../../../foundation/core/permission-rules.ts'
import { type MailPart, mailBody } from '../../../foundation/mail/mail-rules.ts'
import { INVITATION_DAYS } from './team-rules.ts'

type Content = { subject: string; text: string; html: string }

const mail = (platform: string, subject: string, ...parts: MailPart[]): Content => ({
  subject,
  ...mailBody(parts, { brand: { name: platform, logo: null } }),
})

const withArticle = (role: Role): string => (/^[aeo]/.test(role) ? `an ${role}` : `a ${role}`)

/** Emails about the members of a platform. */
export const teamMails = {
  invitation: (
    name: EnvironmentName,
    { platform, inviter, role, url }: { platform: string; inviter: string; role: Role; url: string },
  ): Content =>
    mail(
      platform,
      `${inviter} invited you to ${platform} on Remit ${name}`,
      `${inviter} invited you to join ${platform} as ${withArticle(role)}.`,
      'Open this page to accept:',
      { label: 'Accept the invitation', url },
      `The invitation expires in ${INVITATION_DAYS} days. It works only for this email address.`,
      'If you did not expect it, you can ignore this email.',
    ),

  joined: (
    name: EnvironmentName,
    { platform, person, role }: { platform: string; person: string; role: Role },
  ): Content =>
    mail(
      platform,
      `${person} joined ${platform} on Remit ${name}`,
      `${person} accepted your invitation and is now ${withArticle(role)} of ${platform}.`,
      'If you do not know this person, remove the member on the page "Team".',
    ),

  roleChanged: (name: EnvironmentName, { platform, role }: { platform: string; role: Role }): Content =>
    mail(
      platform,
      `Your role at ${platform} on Remit ${name} was changed`,
      `You are now ${withArticle(role)} of ${platform}.`,
      'If you have questions, contact an owner of the platform.',
    ),

  removed: (name: EnvironmentName, { platform }: { platform: string }): Content =>
    mail(
      platform,
      `You are no longer a member of ${platform} on Remit ${name}`,
      `You were removed from ${platform} and signed out there. API keys that you created stopped working.`,
      'If you have questions, contact an owner of the platform.',
    ),
}
