import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escapeHtml } from '../lib/text/html.ts'
import { type MailBrand, type MailPart, mailBody } from './mail-rules.ts'

const HOSTILE = `</p></a></body> <script>alert(1)</script> " ' & <!-- ]]> &amp; <img src=x onerror=y`
const LINK = 'https://pay.example.com/pay/x?a=1&b="><script>'
const LOGO = 'data:image/png;base64,iVBORw0KGgo="><script>'

const VOID = ['meta', 'img']
const EXPECTED = ['html', 'head', 'meta', 'style', 'body', 'div', 'p', 'table', 'tr', 'td', 'a', 'img']

/** Returns the elements of an HTML document. Throws if an element is not closed in the right place, or a `<`, `&` or `"` is not escaped. */
function elementsOf(html: string): string[] {
  const open: string[] = []
  const found: string[] = []
  const rest = html
    .replace(/^<!doctype html>/, '')
    .replace(/<(\/?)([a-z]+)((?: [a-z-]+="[^"<>]*")*)>/g, (_tag, slash, name, attributes) => {
      assert.doesNotMatch(attributes, /&(?!#?\w+;)/, 'an attribute is escaped')
      if (slash) assert.equal(open.pop(), name, `</${name}> closes the last element`)
      else found.push(name)
      if (!slash && !VOID.includes(name)) open.push(name)
      return ''
    })
  assert.deepEqual(open, [], 'every element is closed')
  assert.doesNotMatch(rest, /[<>]|&(?!#?\w+;)/, 'the text is escaped')
  return found
}

const brands: (MailBrand | null)[] = [
  null,
  { name: HOSTILE, logo: null },
  { name: HOSTILE, logo: LOGO },
  { name: HOSTILE, logo: LOGO.repeat(10_000) },
]
const ROWS: MailPart = {
  rows: [
    [HOSTILE, HOSTILE],
    ['Total', '$1.00'],
  ],
}
const parts: MailPart[] = [HOSTILE, ROWS, 'Choose:', { label: HOSTILE, url: LINK }, 'Bye.']

test('the HTML of a mail is well-formed, whatever the names, links and logos in it contain', () => {
  for (const brand of brands) {
    for (const footer of [[], parts]) {
      const { html } = mailBody(parts, { footer, brand })
      const elements = elementsOf(html)
      assert.deepEqual(
        elements.filter((name) => !EXPECTED.includes(name)),
        [],
      )
      assert.equal(elements.filter((name) => name === 'a').length, footer.length > 0 ? 2 : 1)
      assert.ok(html.includes(`href="${escapeHtml(LINK)}"`))
    }
  }
})

test('the text of a mail has every paragraph and link of its HTML, with the address of each link on a line of its own', () => {
  const { text, html } = mailBody(['Choose:', { label: 'Pay', url: LINK }, { label: 'View', url: LINK }], {
    footer: ['Bye.'],
  })
  assert.equal(text, `Choose:\n\n${LINK}\n\nView:\n${LINK}\n\nBye.\n`)
  for (const words of ['Choose:', '>Pay</a>', '>View</a>', 'Bye.']) assert.ok(html.includes(words), words)
})
