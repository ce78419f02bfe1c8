import { Type } from 'typebox'
import { ApiError } from '../../foundation/core/errors.ts'
import { get, type Route } from '../../foundation/http/route.ts'
import { closed, oneOf } from '../../foundation/http/schema.ts'
import { isReturnCode, RETURN_CODES, returnCodes } from './return-code-rules.ts'

export const returnCodeRoutes: Route[] = [
  get(
    '/v3/return_code/:code',
    {
      access: 'user',
      permission: 'read',
      tag: 'Payments',
      operationId: 'getReturnCode',
      summary: 'Retrieve a return code',
      description: 'Explains a return code and what to do about it.',
      errors: ['return_code_not_found'],
      params: closed({ code: Type.String() }),
      answer: closed({ code: oneOf(RETURN_CODES), reason: Type.String(), action: Type.String() }),
    },
    async (_deps, { params: { code } }) => {
      if (!isReturnCode(code)) throw new ApiError('return_code_not_found')
      const { reason, action } = returnCodes[code]
      return { code, reason, action }
    },
  ),
]
