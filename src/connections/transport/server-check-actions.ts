import { withSftpSession } from './sftp-session-actions.ts'
import { TransferProblem } from './transfer-problem-rules.ts'
import type { ServerCheck, SftpServer, TransportSession } from './transport-types.ts'

/** The name of a hidden file, so that the bank does not treat it as one of ours. */
const TEST_NAME = '.remit-test'

/**
 * Connects, compares the host key and lists both folders.
 *
 * @param given.writes whether to upload, read and remove a test file
 * @throws TransferProblem
 */
export const checkServer = (server: SftpServer, { writes }: { writes: boolean }): Promise<ServerCheck> =>
  withSftpSession(server, async (session) => {
    const [out, inbound] = [await session.list('out'), await session.list('in')]
    if (writes) await writeAndRemove(session)
    return { out, in: inbound, hasWritten: writes }
  })

async function writeAndRemove(session: TransportSession): Promise<void> {
  const bytes = Buffer.from('Remit wrote this file to test the connection. It can be removed.\n')
  const left = await session.find(TEST_NAME, bytes)
  if (left.at === 'final') await session.withdraw(TEST_NAME)
  await session.prepare(TEST_NAME, bytes)
  await session.publish(TEST_NAME)
  const place = await session.find(TEST_NAME, bytes)
  if (place.at !== 'final' && session.upload !== 'vanishes') {
    throw new TransferProblem('failed', `The server reported success, but ${TEST_NAME} is not there.`)
  }
  if (place.at === 'final') await session.withdraw(TEST_NAME)
}
