import { inSpan } from '../../foundation/lib/trace/trace.ts'
import { TransferProblem } from './transfer-problem-rules.ts'
import type { OutgoingFile, Place, Proof, TransportSession } from './transport-types.ts'

/**
 * Uploads a file unless it is already on the server. One session can upload several files.
 *
 * @returns null if the file was uploaded now. `proveFile` must follow in a new session
 * @throws TransferProblem `other_content` if a file of this name has other bytes, or if the file may have reached the bank and is no longer
 * on the server. Then the operator decides whether it is sent again
 */
export const uploadFile = (session: TransportSession, file: OutgoingFile): Promise<Proof | null> =>
  inSpan('transport upload', { attributes: { 'remit.file.bytes': file.bytes.length } }, () => upload(session, file))

async function upload(session: TransportSession, file: OutgoingFile): Promise<Proof | null> {
  const { name, bytes, mayBeThere, beforePublish, onProgress } = file
  const place = await session.find(name, bytes)
  if (place.at === 'final') return proofOf(session, file, place)
  if (place.at === 'nowhere' && mayBeThere) return takenOr(session, file, 'An earlier try may have sent it.')
  const isDirect = session.upload === 'direct'
  if (isDirect) await beforePublish()
  await session.prepare(name, bytes, onProgress)
  if (!isDirect) await beforePublish()
  await session.publish(name)
  return null
}

/**
 * Checks that a file is on the server, after `uploadFile`.
 *
 * @throws TransferProblem `other_content` if it is not
 */
export const proveFile = (session: TransportSession, file: OutgoingFile): Promise<Proof> =>
  inSpan('transport prove', { attributes: { 'remit.file.bytes': file.bytes.length } }, () => prove(session, file))

async function prove(session: TransportSession, file: OutgoingFile): Promise<Proof> {
  const place = await session.find(file.name, file.bytes)
  if (place.at === 'final') return proofOf(session, file, place)
  if (place.at === 'nowhere') return takenOr(session, file, 'The server reported success.')
  throw missing(file, 'The server reported success.')
}

async function proofOf(
  session: TransportSession,
  { name }: OutgoingFile,
  { isSame, byteCount }: Extract<Place, { at: 'final' }>,
): Promise<Proof> {
  if (isSame === false) {
    throw new TransferProblem('other_content', `${name} is on the server with other content, of ${byteCount} bytes.`)
  }
  await session.tidy(name)
  return isSame === null ? 'size' : 'bytes'
}

function takenOr({ upload }: TransportSession, file: OutgoingFile, why: string): Proof {
  if (upload === 'vanishes') return 'taken'
  throw missing(file, why)
}

const missing = ({ name }: OutgoingFile, why: string): TransferProblem =>
  new TransferProblem(
    'other_content',
    `${name} is not on the server, or not whole. ${why} Ask the bank whether it has the file.`,
  )
