import { Type } from 'typebox'
import { ApiError } from '../core/errors.ts'
import { get, type Route } from '../http/route.ts'
import { closed } from '../http/schema.ts'
import { formatDateTime } from '../lib/clock.ts'
import { getMails } from './mail-actions.ts'
import { isMailShown } from './mail-rules.ts'

const Mails = closed({
  mails: Type.Array(
    closed({ id: Type.String(), to: Type.String(), subject: Type.String(), text: Type.String(), date: Type.String() }),
  ),
})

export const mailRoutes: Route[] = [
  get('/web/v1/mail', { access: 'anyone', tag: 'Mail', summary: 'List kept mail', answer: Mails }, async (deps) => {
    if (!isMailShown(deps.settings)) throw new ApiError('not_found')
    const mails = await getMails(deps)
    return {
      mails: mails.map(({ id, to, subject, text, date }) => ({ id, to, subject, text, date: formatDateTime(date) })),
    }
  }),
]
