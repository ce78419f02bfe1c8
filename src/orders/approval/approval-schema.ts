import { Type } from 'typebox'
import { id, nullable } from '../../foundation/http/schema.ts'

/** The version of an approval that the caller saw. */
export const seenVersion = Type.Optional(
  nullable(
    Type.String({
      ...id,
      description: 'The version that you looked at. Another one is refused, because you have not seen it',
    }),
  ),
)
