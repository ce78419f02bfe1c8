import type { EnvironmentName, PostalAddress } from '../../foundation/core/environment.ts'
import type { Random } from '../../foundation/lib/ids.ts'
import { serviceMail } from '../../foundation/mail/mail-rules.ts'

/** The maximum number of mailboxes of a user. */
export const MAX_MAILBOXES = 10

/** Sort orders of mailboxes and of their mail. */
export const mailboxSorts = { DATE: 'timestamptz' } as const

export const MAX_TAGS = 20
export const MAX_TAG_LENGTH = 40
export const MAX_PARTY_LENGTH = 180

/** Generates a mailbox number: eight digits without a leading zero. */
export const newMailboxNumber = (random: Random): string =>
  String(10_000_000 + (random.bytes(4).readUInt32BE() % 90_000_000))

/** The address of a mailbox, with its number in `line_2`. */
export type MailboxAddress = PostalAddress & { line_2: string }

/** Parses `1 Main St, Springfield, IL 62701`. Returns null if the text is not such an address. */
export function parsePostalAddress(text: string): PostalAddress | null {
  const [, line_1, city, state, zip] =
    /^([^,]{1,100}(?:, [^,]{1,100})*), ([^,]{1,40}), ([A-Z]{2}) (\d{5}(?:-\d{4})?)$/.exec(text) ?? []
  if (!line_1 || !city || !state || !zip || line_1.length > 100) return null
  return { line_1, city, state, zip, country: 'US' }
}

/** Adds the number of a mailbox to the provider's address. The number tells the provider to which mailbox a letter belongs. */
export const mailboxAddressWithNumber = (address: PostalAddress, number: string): MailboxAddress => {
  const { line_1, ...rest } = address
  return { line_1, line_2: `PMB ${number}`, ...rest }
}

/** Renders the email to an owner about new paper mail. */
export const mailReceived = (name: EnvironmentName, { sender, recipient }: { sender: string; recipient: string }) =>
  serviceMail(
    name,
    `New mail for ${recipient}`,
    `${sender} sent a letter to a mailbox of ${recipient} (${name}).`,
    'Its scan is at GET /v3/mailbox/{id}/mail.',
  )
