import { neutralText } from '../../foundation/lib/text/plain-text.ts'
import type { TransferProblemKind } from './transport-types.ts'

/** A transfer that failed. The message is one sentence for the operator, without secrets. */
export class TransferProblem extends Error {
  override name = 'TransferProblem'
  readonly kind: TransferProblemKind

  constructor(kind: TransferProblemKind, message: string, options?: ErrorOptions) {
    super(neutralText(message), options)
    this.kind = kind
  }
}

/** Returns a text of the server or a library as part of a sentence: at most 200 characters, without a period at its end. */
export const shortened = (text: string): string =>
  neutralText(text)
    .slice(0, 200)
    .replace(/[.\s]+$/, '')

/** Returns whether a problem concerns the whole session and each of its files, not only the file of the call. */
export const endsSession = ({ kind }: TransferProblem): boolean =>
  ['settings', 'host_key', 'sign_in', 'unreachable', 'timed_out'].includes(kind)
