// Routes that a stopped user can still call. A user is stopped if its status or its owner's status is SUSPENDED or CLOSED. It can read
// everything, but it can send, deposit, create and change only through these routes.

const allowedWhenStopped = [
  // routes that end a payment or another object
  'DELETE /v3/check/:id',
  'DELETE /v3/checkbook/:id',
  'DELETE /v3/approval/:id',
  'DELETE /v3/approval/policy/proposal/:id',
  'DELETE /v3/batch/:id',
  'DELETE /v3/invoice/:id',
  'DELETE /v3/subscription/:id',
  'POST /v3/sandbox/receivable/settle',
  // routes that revoke access, or keep a login and its secrets safe
  'DELETE /v3/user/api_key/:id',
  'DELETE /v3/user/:id/api_key/:key',
  'POST /v3/webhook/key',
  'DELETE /web/v1/applications/:id',
  'POST /web/v1/applications/:id/secret',
  'DELETE /web/v1/grants/:id',
  'DELETE /web/v1/sessions',
  'DELETE /web/v1/sessions/:id',
  'POST /web/v1/step-up',
  'POST /web/v1/platforms/switch',
  'POST /web/v1/team/leave',
  'DELETE /web/v1/team/:id',
  'DELETE /web/v1/invitation/:id',
  'DELETE /web/v1/views/:id',
  'PUT /web/v1/password',
  'POST /web/v1/two-factor',
  'POST /web/v1/two-factor/confirm',
  'POST /web/v1/two-factor/recovery-codes',
  // routes that show a secret, or send and report events
  'POST /v3/webhook/endpoint/:id/test',
  'POST /v3/webhook/delivery/:event/:endpoint/replay',
  'POST /v3/webhook/replay',
  'POST /v3/webhook/listener',
  'POST /v3/webhook/listener/:id',
  'DELETE /v3/webhook/listener/:id',
  'POST /web/v1/webhook-test',
  'POST /web/v1/applications/:id/secret/show',
  // routes that simulate events in the sandbox
  'PUT /v3/user/webhook',
  'PUT /v3/check/webhook/:id',
  'PUT /v3/sandbox/clock',
]

/** Routes whose actions refuse stopped users themselves, under the locks of the payment. */
const checkedLater = ['POST /v3/check/digital', 'POST /v3/check/physical', 'POST /v3/check/preview']

const notRefused = new Set([...allowedWhenStopped, ...checkedLater])

/** Returns whether a route refuses stopped users before it does any work. */
export const refusesStopped = ({ method, url, access }: { method: string; url: string; access: string }): boolean =>
  method !== 'GET' && access !== 'anyone' && !notRefused.has(`${method} ${url}`)
