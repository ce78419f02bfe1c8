import { newAccountNumber, PASSWORD } from './service.ts'

// A body for each changing route, and the answer to a stopped user.

/** `refused`: a stopped caller gets 403 user_not_active. `answered`: it gets the normal answer. */
export type Row = 'refused' | 'answered'

const X = '0'.repeat(32)
const login = { password: PASSWORD }
const order = { amount: 1, name: 'Somebody', recipient: 'somebody@example.com' }
const file = [{ amount: 1, name: 'Somebody', address: { type: 'email', address: 'somebody@example.com' } }]
const address = { line_1: '1 Main St', city: 'Springfield', state: 'IL', zip: '62701', country: 'US' }

/** Every route with a caller except GET, and a valid body. */
export const changingRoutes: Record<string, Row | [row: Row, body: object]> = {
  'POST /v3/user': ['refused', { user_id: 'another', name: 'Another' }],
  'DELETE /v3/user/:id': 'refused',
  'PUT /v3/user': ['refused', { user: { first_name: 'Ann' } }],
  'POST /v3/user/signature': ['refused', { signature: 'iVBORw0KGgo=' }],
  'POST /v3/user/api_key': ['refused', {}],
  'POST /v3/user/:id/api_key': ['refused', {}],
  'PUT /v3/user/:id/limit': ['refused', { day: 5 }],
  'DELETE /v3/user/api_key/:id': 'answered',
  'DELETE /v3/user/:id/api_key/:key': 'answered',
  'PUT /v3/user/webhook': ['answered', { status: 'SUSPENDED' }],
  'POST /v3/webhook/key': ['answered', {}],

  'PUT /v3/request/settings': ['refused', { keeps_bodies: true }],
  'POST /v3/webhook/endpoint': ['refused', { url: 'https://hooks.example.com/' }],
  'PUT /v3/webhook/endpoint/:id': ['refused', { status: 'DISABLED' }],
  'DELETE /v3/webhook/endpoint/:id': 'refused',
  'POST /v3/webhook/endpoint/:id/test': ['answered', {}],
  'POST /v3/webhook/delivery/:event/:endpoint/replay': ['answered', {}],
  'POST /v3/webhook/replay': ['answered', { since: '2026-01-01' }],
  'POST /v3/webhook/listener': ['answered', {}],
  'POST /v3/webhook/listener/:id': ['answered', { results: [] }],
  'DELETE /v3/webhook/listener/:id': 'answered',

  ...Object.fromEntries(
    ['/v3/bank', '/v3/account/bank'].flatMap((bank): [string, Row | [Row, object]][] => [
      [`POST ${bank}`, ['refused', { routing: '021000021', account: newAccountNumber(), type: 'CHECKING' }]],
      [`PUT ${bank}/:id`, ['refused', { name: 'Other' }]],
      [`DELETE ${bank}/:id`, 'refused'],
      [`POST ${bank}/release`, ['refused', { account: X }]],
      [`POST ${bank}/iav`, ['refused', { institution_id: X, username: 'user_good' }]],
      [`POST ${bank}/iav/plaid`, ['refused', { processor_token: 'processor-sandbox-good' }]],
      [`POST ${bank}/verify`, ['refused', { account: X, amount_1: 0.01, amount_2: 0.02 }]],
    ]),
  ),
  'POST /v3/account/wallet': ['refused', { name: 'Cash' }],
  'PUT /v3/account/wallet/:id': ['refused', { name: 'Other' }],
  'DELETE /v3/account/wallet/:id': 'refused',
  'POST /v3/account/card': ['refused', { card_number: '4242424242424242', expiration_date: '2099-12' }],
  'POST /v3/account/paypal': ['refused', { username: 'a@example.com' }],
  'POST /v3/account/venmo': ['refused', { username: '+14155552671' }],
  'POST /v3/account/interac': ['refused', { username: 'a@example.ca' }],
  'POST /v3/account/wire': ['refused', { routing: '021000021', account: newAccountNumber(), type: 'CHECKING' }],
  ...Object.fromEntries(
    ['card', 'paypal', 'venmo', 'interac', 'wire'].flatMap((kind): [string, Row | [Row, object]][] => [
      [`PUT /v3/account/${kind}/:id`, ['refused', { name: 'Other' }]],
      [`DELETE /v3/account/${kind}/:id`, 'refused'],
    ]),
  ),

  'POST /v3/account/vcc': ['refused', {}],
  'PUT /v3/account/vcc/:id': ['refused', { name: 'Other' }],
  'DELETE /v3/account/vcc/:id': 'refused',
  'POST /v3/sandbox/vcc/:id/spend': ['refused', { amount: 1 }],
  'POST /v3/directory': ['refused', { name: 'Payee' }],
  'PUT /v3/directory/:id': ['refused', { name: 'Other' }],
  'DELETE /v3/directory/:id': 'refused',
  'POST /v3/directory/:id/account/bank': [
    'refused',
    { routing: '021000021', account: newAccountNumber(), type: 'CHECKING' },
  ],
  'POST /v3/directory/:id/account/card': ['refused', { card_number: '4242424242424242', expiration_date: '2099-12' }],
  'DELETE /v3/directory/:id/account/:account': 'refused',

  'POST /v3/checkbook': [
    'refused',
    { account: X, number: 5001, mail_type: 'OVERNIGHT', recipient: { name: 'Ann', ...address } },
  ],
  'DELETE /v3/checkbook/:id': 'answered',

  'POST /v3/mailbox': ['refused', {}],
  'POST /v3/sandbox/mailbox/:id/mail': ['refused', { sender: 'Ann' }],

  'POST /v3/approval/digital': ['refused', order],
  'POST /v3/approval/physical': ['refused', { ...order, recipient: address }],
  'POST /v3/approval/multi': [
    'refused',
    { amount: 1, recipients: ['ann', 'bob'].map((recipient) => ({ name: 'Payee', recipient })) },
  ],
  'POST /v3/approval/invoice': ['refused', { id: X, amount: 1 }],
  'POST /v3/approval/release': ['refused', { id: X }],
  'PUT /v3/approval/:id': ['refused', { amount: 2 }],
  'POST /v3/approval/:id/approve': 'refused',
  'POST /v3/approval/:id/reject': ['refused', { reason: 'No' }],
  'PUT /v3/approval/policy': ['refused', { dual_control: false, rules: [] }],
  'POST /v3/approval/policy/confirm': ['refused', { id: X }],
  'DELETE /v3/approval/policy/proposal/:id': 'answered',
  'DELETE /v3/approval/:id': 'answered',
  'POST /v3/invoice': ['refused', { amount: 1, name: 'Payer', recipient: 'somebody', description: 'Painting' }],
  'POST /v3/invoice/payment': ['refused', { id: X, amount: 1 }],
  'POST /v3/invoice/notify/:id': ['refused', {}],
  'DELETE /v3/invoice/:id': 'answered',
  'POST /v3/subscription/check': ['refused', { ...order, interval: 'WEEKLY' }],
  'POST /v3/subscription/invoice': [
    'refused',
    { amount: 1, name: 'Somebody', recipient: 'somebody', description: 'Rent', interval: 'WEEKLY' },
  ],
  'PUT /v3/subscription/:id': ['refused', { skipped: [2] }],
  'PUT /v3/subscription/:id/run': ['refused', { number: 2, skipped: true }],
  'DELETE /v3/subscription/:id': 'answered',

  'POST /v3/check/digital': ['refused', order],
  'POST /v3/check/physical': ['refused', { ...order, recipient: address }],
  'POST /v3/check/direct': [
    'refused',
    { ...order, account_number: '7654321987', routing_number: '021000021', account_type: 'CHECKING' },
  ],
  'POST /v3/check/csv': ['refused', { file }],
  'POST /v3/batch/preview': ['refused', { file }],
  'POST /v3/batch': ['refused', { name: 'Batch', file }],
  'PUT /v3/batch/:id': ['refused', { name: 'Batch', file }],
  'POST /v3/batch/:id/release': 'refused',
  'POST /v3/batch/:id/approve': 'refused',
  'POST /v3/batch/:id/reject': ['refused', { reason: 'No' }],
  'DELETE /v3/batch/:id': 'answered',
  'POST /v3/check/multi': [
    'refused',
    {
      amount: 1,
      recipients: [
        { name: 'One', recipient: 'one' },
        { name: 'Two', recipient: 'two' },
      ],
    },
  ],
  'POST /v3/check/endorse/:id': ['refused', { name: 'Somebody' }],
  'POST /v3/check/preview': ['refused', { amount: 1, name: 'Somebody' }],
  'POST /v3/check/deposit/:id': ['refused', { account: X }],
  'POST /v3/check/print/:id': ['refused', {}],
  'POST /v3/check/notify/:id': ['refused', {}],
  'POST /v3/check/:id/verification': ['refused', {}],
  'DELETE /v3/check/:id': 'answered',
  'PUT /v3/check/webhook/:id': ['answered', { status: 'VOID' }],

  'POST /v3/sandbox/receivable/settle': ['answered', {}],
  'POST /v3/sandbox/wallet/:id/fund': ['refused', { amount: 1 }],
  'PUT /v3/sandbox/clock': ['answered', { advance: 'PT1S' }],

  'PUT /web/v1/banks/:id': ['refused', { nickname: 'Rent' }],
  'POST /web/v1/applications': [
    'refused',
    { name: 'An app', site: 'https://example.com', redirect_uris: ['https://example.com/callback'] },
  ],
  'PUT /web/v1/applications/:id': ['refused', { name: 'Other' }],
  'DELETE /web/v1/applications/:id': 'answered',
  'POST /web/v1/applications/:id/secret': ['answered', {}],
  'POST /web/v1/applications/:id/secret/show': ['answered', {}],
  'DELETE /web/v1/grants/:id': 'answered',
  'POST /oauth/consent/:uid/authorize': ['refused', { owner: X }],
  'POST /web/v1/operator/statements/lines/:id/match': ['answered', { legs: [X] }],
  'POST /web/v1/operator/statements/lines/:id/split': ['answered', { parts: [{ name: 'fees', amount: -1 }] }],
  'POST /web/v1/operator/statements/lines/:id/ignore': ['answered', { why: 'A test of the bank' }],
  'POST /web/v1/operator/statements/lines/:id/undo': ['answered', {}],
  'POST /web/v1/webhook-test': ['answered', {}],
  'POST /web/v1/invoice/open/:id': ['refused', {}],
  'POST /web/v1/invoice/link/:id': ['refused', {}],
  'POST /web/v1/pay/claim': ['refused', { token: 'x'.repeat(40) }],
  'PUT /web/v1/team/:id': ['refused', { role: 'viewer' }],
  'DELETE /web/v1/team/:id': 'answered',
  'POST /web/v1/team/leave': ['answered', {}],
  'PUT /web/v1/team/policy': ['refused', { two_factor_required: false }],
  'POST /web/v1/platforms/switch': ['answered', { platform: X }],
  'POST /web/v1/platforms/set-up': 'refused',
  'POST /web/v1/views': ['refused', { name: 'Failed', filters: { status: 'FAILED' } }],
  'PUT /web/v1/views/:id': ['refused', { name: 'Other' }],
  'DELETE /web/v1/views/:id': 'answered',
  'POST /web/v1/invitation': ['refused', { email: 'new@example.com', role: 'viewer' }],
  'DELETE /web/v1/invitation/:id': 'answered',
  'DELETE /web/v1/sessions/:id': 'answered',
  'PUT /web/v1/developer': ['refused', { developer: { webhook_uri: 'https://hooks.example.com/' } }],
  'POST /web/v1/step-up': ['answered', login],
  'PUT /web/v1/password': ['answered', { current: PASSWORD, password: 'easy to guess' }],
  'POST /web/v1/email': ['refused', { ...login, email: 'new@example.com' }],
  'POST /web/v1/email/confirm': ['refused', { verification: 'unknown', code: '000000' }],
  'POST /web/v1/two-factor': ['answered', login],
  'POST /web/v1/two-factor/confirm': ['answered', { code: '000000' }],
  'POST /web/v1/two-factor/recovery-codes': ['answered', { ...login, code: '000000' }],
  'POST /web/v1/two-factor/remove': ['refused', { ...login, code: '000000' }],
  'DELETE /web/v1/sessions': 'answered', // last, because it ends the session of this test
}
