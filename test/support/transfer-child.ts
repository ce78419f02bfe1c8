import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withSftpSession } from '../../src/connections/transport/sftp-session-actions.ts'
import { TransferProblem } from '../../src/connections/transport/transfer-problem-rules.ts'
import { replaceFile } from '../../src/foundation/lib/files/durable-file.ts'
import { readIfThere } from '../../src/foundation/lib/files/files.ts'
import { sendTo, serverAt, TRANSFERRED, type TransferTask } from './transfer.ts'

// A process that sends or downloads one file, until it is done or killed. The file `published` has the role of the
// database.

const task = JSON.parse(process.argv[2] as string) as TransferTask
const server = serverAt(task, { packetBytes: 4_096, upload: task.kind === 'fetch' ? 'rename' : task.kind })
const local = join(task.folder, TRANSFERRED)

try {
  await (task.kind === 'fetch' ? fetchFiles() : send())
  console.log('done')
} catch (error) {
  if (!(error instanceof TransferProblem)) throw error
  console.log(error.kind)
}

async function send(): Promise<void> {
  const published = join(task.folder, 'published')
  await sendTo(server, {
    name: TRANSFERRED,
    bytes: await readFile(local),
    mayBeThere: (await readIfThere(published)) !== null,
    beforePublish: async () => {
      if (task.diesBeforePublish) process.kill(process.pid, 'SIGKILL')
      await replaceFile(published, '')
    },
  })
}

/** Nothing is removed from the server before its content is stored here. */
async function fetchFiles(): Promise<void> {
  await withSftpSession(server, async (session) => {
    for (const file of (await session.list('in')).files) {
      const bytes = await session.read(file)
      if (!bytes) continue
      await replaceFile(local, bytes)
      await session.remove(file.name)
    }
  })
}
