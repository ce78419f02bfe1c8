import { Type } from 'typebox'
import { id, named, nullable, text, visible } from '../../foundation/http/schema.ts'

/** The version of an approval that the caller saw. */
export const seenVersion = Type.Optional(
  nullable(
    Type.String({
      ...id,
      description: 'The version that you reviewed. The request is refused if the current version is a different one',
    }),
  ),
)

/** The body of an approval or a release. */
export const SeenVersion = named('SeenVersion', { version: seenVersion })

export const Rejection = named('RejectionRequest', { reason: text(1, 500, visible) })
