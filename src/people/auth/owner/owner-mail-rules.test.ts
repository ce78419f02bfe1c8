import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escapeHtml } from '../../../foundation/lib/text/html.ts'
import { healthMails } from '../../../webhook/endpoint/webhook-health-rules.ts'
import { teamMails } from '../team/team-mail-rules.ts'
import { ownerMails } from './owner-mail-rules.ts'

const member = {
  platform: 'Acme & Co',
  person: 'Ada',
  inviter: 'Ada',
  role: 'viewer',
  url: 'https://remit.example/x',
} as const

const failing = { name: 'sandbox', host: 'example.com', failure: { httpStatus: 503, error: null } } as const

test('every mail to a member has the words of its text also as HTML, below the name of its sender', () => {
  const mails = [
    ...Object.values(ownerMails).map((mail) => ({ ...mail('sandbox', '123456'), sender: 'Remit sandbox' })),
    ...Object.values(healthMails).map((mail) => ({ ...mail(failing), sender: 'Remit sandbox' })),
    ...Object.values(teamMails).map((mail) => ({ ...mail('sandbox', member), sender: 'Acme & Co' })),
  ]
  for (const { subject, text, html, sender } of mails) {
    const [first, ...paragraphs] = [...html.matchAll(/<p [^>]*>(.*)<\/p>/g)].map(([, content = '']) => content)
    assert.equal(first, escapeHtml(sender), subject)
    const words = text.split('\n\n').map((paragraph) => escapeHtml(paragraph.trim()))
    assert.deepEqual(
      paragraphs.map((content) => (content.startsWith('<a ') ? member.url : content)),
      words,
      subject,
    )
  }
})
