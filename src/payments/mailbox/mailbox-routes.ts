import { Type } from 'typebox'
import { inlinePdf } from '../../foundation/http/content-disposition.ts'
import { list } from '../../foundation/http/list/list.ts'
import { get, post, type Route } from '../../foundation/http/route.ts'
import {
  accountNumber,
  amount,
  closed,
  id,
  idParams,
  named,
  noFields,
  nullable,
  oneOf,
  postalAddress,
  reference,
  routingNumber,
  text,
  visible,
} from '../../foundation/http/schema.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import { ATTACHMENT_BODY_LIMIT_BYTES } from '../payment/accept/order-schema.ts'
import { getLetter, getLetters, getMailbox, getMailboxes, getScan, openMailbox } from './mailbox-actions.ts'
import { MAX_PARTY_LENGTH, MAX_TAG_LENGTH, MAX_TAGS, mailboxSorts } from './mailbox-rules.ts'
import { LETTER_STATUSES, MAILBOX_STATUSES } from './mailbox-status.ts'
import type { MailboxRow, ShownLetter } from './mailbox-store.ts'
import { CHECK_NUMBER, MAX_SCANNED_CHECKS } from './scanned-check-rules.ts'
import { simulateLetter } from './simulated-mail-actions.ts'

const tag = 'Mailboxes'

const Mailbox = named('Mailbox', {
  id: Type.String(),
  date: Type.String(),
  status: oneOf(MAILBOX_STATUSES),
  address: named('MailboxAddress', {
    ...postalAddress.properties,
    line_2: Type.Optional(text(0, 100)),
    country: Type.Optional(text(2, 64)),
  }),
})

const Letter = named('Mail', {
  id: Type.String(),
  date: Type.String(),
  status: oneOf(LETTER_STATUSES),
  sender: Type.String(),
  recipient: Type.String(),
  checks: Type.Array(reference),
  tags: Type.Array(Type.String()),
})

/** The data of a check's MICR line, its amount in dollars, and its drawer. */
const Check = named('ScannedCheck', {
  routing: routingNumber,
  account: accountNumber,
  number: Type.String({ pattern: CHECK_NUMBER, description: 'a check number of at most 15 digits' }),
  amount,
  name: Type.Optional(nullable(text(1, MAX_PARTY_LENGTH, visible))),
})

const itemParams = closed({ id, item: id })

export const mailboxRoutes: Route[] = [
  post(
    '/v3/mailbox',
    {
      access: 'user',
      permission: 'accounts',
      tag,
      operationId: 'createMailbox',
      summary: 'Open a mailbox',
      description: 'Opens a mailbox with a postal address of its own. Its mail arrives as scans. A user can have 10.',
      errors: ['not_configured', 'mailbox_limit_reached'],
      body: noFields,
      status: 201,
      answer: Mailbox,
    },
    async (deps, { caller }) => mailboxAnswer(await openMailbox(deps, caller)),
  ),

  list(
    '/v3/mailbox',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'listMailboxes',
      summary: 'List your mailboxes',
      description: 'Lists the user’s mailboxes, newest first. `q` searches the numbers in their addresses.',
    },
    {
      sorts: mailboxSorts,
      items: { mailboxes: Mailbox },
      read: (deps, { caller, filter, paging }) => getMailboxes(deps, caller, { q: filter.q, paging }),
      show: (mailbox) => mailboxAnswer(mailbox),
    },
  ),

  get(
    '/v3/mailbox/:id',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'getMailbox',
      summary: 'Retrieve a mailbox',
      description: 'Returns one of the user’s mailboxes.',
      errors: ['mailbox_not_found'],
      params: idParams,
      answer: Mailbox,
    },
    async (deps, { caller, params }) => mailboxAnswer(await getMailbox(deps, caller, params.id)),
  ),

  list(
    '/v3/mailbox/:id/mail',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'listMail',
      summary: 'List the mail of a mailbox',
      description: 'Lists the mail of a mailbox, newest first. `q` searches the senders.',
      errors: ['mailbox_not_found'],
      params: idParams,
    },
    {
      sorts: mailboxSorts,
      items: { mail: Letter },
      read: (deps, { caller, params, filter, paging }) =>
        getLetters(deps, caller, { mailboxId: params.id, q: filter.q, paging }),
      show: (letter) => letterAnswer(letter),
    },
  ),

  get(
    '/v3/mailbox/:id/mail/:item',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'getMail',
      summary: 'Retrieve a piece of mail',
      description:
        'Returns one piece of mail. Each of its `checks` is a payment to the user, which `POST /v3/check/deposit/{id}` deposits.',
      errors: ['mailbox_not_found', 'mail_not_found'],
      params: itemParams,
      answer: Letter,
    },
    async (deps, { caller, params }) =>
      letterAnswer(await getLetter(deps, caller, { mailboxId: params.id, id: params.item })),
  ),

  get(
    '/v3/mailbox/:id/mail/:item/attachment',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'downloadMailAttachment',
      summary: 'Download the scan of a piece of mail',
      description: 'Returns the scan as a PDF.',
      errors: ['mailbox_not_found', 'mail_not_found'],
      params: itemParams,
      answerType: 'application/pdf',
    },
    async (deps, { caller, params, reply }) => {
      const scan = await getScan(deps, caller, { mailboxId: params.id, id: params.item })
      return inlinePdf(reply, 'mail.pdf', scan)
    },
  ),
]

/** Available only where outcomes can be triggered. */
export const simulatedMailRoutes: Route[] = [
  post(
    '/v3/sandbox/mailbox/:id/mail',
    {
      access: 'user',
      permission: 'simulate',
      tag: 'Sandbox',
      operationId: 'receiveMail',
      summary: 'Make mail arrive',
      description:
        'Makes a letter arrive in a mailbox. Without an `attachment`, Remit draws its scan. Each of its `checks` becomes a payment to the user, UNPAID until the user deposits it with `POST /v3/check/deposit/{id}`. Magic account numbers and amounts decide what happens to the deposit.',
      errors: ['mailbox_not_found', 'invalid_attachment', 'check_scanned_twice'],
      params: idParams,
      body: closed({
        sender: text(1, MAX_PARTY_LENGTH, visible),
        recipient: Type.Optional(nullable(text(1, MAX_PARTY_LENGTH, visible))),
        tags: Type.Optional(nullable(Type.Array(text(1, MAX_TAG_LENGTH, visible), { maxItems: MAX_TAGS }))),
        checks: Type.Optional(nullable(Type.Array(Check, { maxItems: MAX_SCANNED_CHECKS }))),
        attachment: Type.Optional(nullable(Type.String({ minLength: 1, description: 'The scan: a PDF in base64' }))),
      }),
      bodyLimitBytes: ATTACHMENT_BODY_LIMIT_BYTES,
      status: 201,
      answer: Letter,
    },
    async (deps, { caller, params, body }) => {
      const { sender, recipient = null, tags, checks, attachment = null } = body
      const given = { mailboxId: params.id, sender, recipient, tags: tags ?? [], checks: checks ?? [], attachment }
      return letterAnswer(await simulateLetter(deps, caller, given))
    },
  ),
]

const mailboxAnswer = ({ id, createdAt, status, address }: MailboxRow) => ({
  id,
  date: formatDateTime(createdAt),
  status,
  address,
})

const letterAnswer = ({ id, createdAt, status, sender, recipient, tags, checks }: ShownLetter) => ({
  id,
  date: formatDateTime(createdAt),
  status,
  sender,
  recipient,
  checks: checks.map((id) => ({ id })),
  tags,
})
