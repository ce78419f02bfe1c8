import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sealedAs } from '../../src/connections/exchange/outgoing-file-actions.ts'
import type { OutgoingFileKind } from '../../src/connections/exchange/outgoing-file-status.ts'
import { listOutgoingFileParts } from '../../src/connections/exchange/outgoing-file-store.ts'
import type { Connection, CurrentConnections, SftpTransport, Upload } from '../../src/foundation/core/connections.ts'
import type { Deps } from '../../src/foundation/db/deps.ts'
import { exceptionCommand } from '../../src/operation/cli/exception-commands.ts'
import { filesCommand } from '../../src/operation/cli/files-commands.ts'
import { connection, connectionsOf, readAch } from './ach.ts'
import { type Faults, type HostileServer, startHostileServer } from './hostile-sftp.ts'
import { operatorBank } from './paid-lists.ts'
import type { Dice } from './quarter-people.ts'
import type { BankCase, OpenTransport, QuarterTransport } from './quarter-transport.ts'
import { type Sshd, startSshd } from './sshd.ts'
import { WIDE_BOUNDS } from './transfer.ts'

// Two banks of a quarter, over SFTP. The first one accepts ACH files on a server made with ssh2 that has every fault in
// turn. The second one accepts checks on OpenSSH, which is stopped, or refuses writes or listings. Each continues while
// the other one does not work.

type Lifetime = { after(end: () => Promise<void>): void }

export type SftpBanks = { connections: CurrentConnections; openTransport: OpenTransport }

/** The servers and the actions of their banks. */
type Banks = {
  hostile: HostileServer
  sshd: Sshd
  upload: Upload
  /** The host keys that `connections.json` pins for the first bank. */
  pins: string[]
  isSshdUp: boolean
  /** All files that the banks took, by name. */
  taken: Map<string, Buffer>
}

/** The timeouts after which a server that does not answer is disconnected. A test waits for them. */
const SHORT_BOUNDS = { connectMs: 250, answerMs: 250, sessionMs: WIDE_BOUNDS.sessionMs }

export async function startSftpBanks(t: Lifetime): Promise<SftpBanks> {
  const [hostile, sshd] = [await startHostileServer(), await startSshd()]
  const folder = await mkdtemp(join(tmpdir(), 'remit-quarter-'))
  t.after(async () => {
    await hostile.stop()
    await sshd.remove()
    await rm(folder, { recursive: true })
  })
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, 'secret\n', { mode: 0o600 })
  const banks: Banks = {
    hostile,
    sshd,
    upload: 'rename',
    pins: [hostile.fingerprint],
    isSshdUp: true,
    taken: new Map(),
  }
  return {
    connections: { current: () => connectionsOfBanks(banks, passwordFile) },
    openTransport: (given) => sftpTransport(banks, given),
  }
}

/** The connections after a reload. */
function connectionsOfBanks({ hostile, sshd, upload, pins }: Banks, passwordFile: string) {
  const { isSilent, isSilentAfterSignIn } = hostile.faults
  const first = {
    ...connection({ folder: '/nowhere', id: 'first', acknowledgements: { ach: 'required', paper: 'none' } }),
    transport: {
      ...sshd.transport,
      port: hostile.port,
      user: 'acme',
      credential: { passwordFile },
      hostKeys: pins,
      upload,
      packetBytes: 1_024,
      bounds: isSilent || isSilentAfterSignIn ? SHORT_BOUNDS : WIDE_BOUNDS,
    } satisfies SftpTransport,
  }
  const checks = connection({
    folder: '/nowhere',
    id: 'second',
    acknowledgements: { ach: 'none', paper: 'none' },
    operatorBank,
  })
  const second: Connection = { ...checks, ach: null, transport: sshd.transport }
  return connectionsOf([first, second], { ACH: 'first', MAIL: 'second', PRINT: 'second' }).current()
}

/** The faults of the first bank's server for a while. */
function drawFaults({ pick, between }: Dice): Faults {
  const faults: readonly Faults[] = [
    {},
    {},
    {},
    { cutAfterBytes: between(0, 4_000) },
    { diskBytes: between(0, 4_000) },
    { renames: 'forbidden' },
    { renames: 'cut before' },
    { renames: 'cut after' },
    { renames: 'copying' },
    { renames: 'pretended' },
    { refuses: true },
    { isSilent: true },
    { isSilentAfterSignIn: true },
    { storesNothing: true },
    { takesFiles: true },
    { forbidsReading: true },
    { closesAfterEach: true },
    { readsAtMost: between(1, 400) },
  ]
  return pick(faults) as Faults
}

function sftpTransport(banks: Banks, { service, dice }: Parameters<OpenTransport>[0]): QuarterTransport {
  const { hostile, sshd, taken } = banks
  const { pick, between } = dice
  let realMs = service.deps.realClock.now().getTime()
  let isRepaired = false
  /** The number of times that a bank took each file. */
  const takes = new Map<string, number>()
  /** The number of times that the operator sent a file again that the bank does not have. */
  const sends = new Map<string, number>()
  const verifiedIds = new Set<string>()
  /** Sessions by their outcome, and cases by their kind. */
  const counts: Record<string, number> = {}
  const count = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1
  }

  const misbehave = (faults: Faults): void => {
    hostile.faults = banks.upload === 'vanishes' ? { ...faults, takesFiles: true } : faults
  }

  /** One connection is closed in the middle of its requests. */
  const cutOnce = (): void => {
    let left = between(0, 40)
    hostile.onRequest = () => {
      if (left-- !== 0) return true
      hostile.onRequest = () => true
      return false
    }
  }

  const failFirst = async () => {
    isRepaired = false
    pick([
      () => misbehave(drawFaults(dice)),
      () => misbehave(drawFaults(dice)),
      cutOnce,
      () => hostile.changeHostKey(),
    ])?.()
  }

  const failSecond = async () => {
    isRepaired = false
    await pick([
      async () => {
        await sshd.stop()
        banks.isSshdUp = false
      },
      () => chmod(join(sshd.root, 'in'), 0o555),
      () => chmod(join(sshd.root, 'out'), 0o333),
      repairSecond,
    ])?.()
  }

  async function repairSecond(): Promise<void> {
    for (const name of ['in', 'out']) await chmod(join(sshd.root, name), 0o755)
    if (!banks.isSshdUp) await sshd.restart()
    banks.isSshdUp = true
  }

  /** The next pass is so late that it retries despite earlier failures. */
  async function disturb(): Promise<void> {
    await repair()
    misbehave(drawFaults(dice))
  }

  async function repair(): Promise<void> {
    isRepaired = true
    hostile.onRequest = () => true
    misbehave({})
    banks.pins = [...new Set([...banks.pins, hostile.fingerprint])].slice(-2)
    await repairSecond()
  }

  /** The operator agrees on another way to upload. No file is in transit then. */
  const reload = async () => {
    if ((await openNames(service.deps)).length > 0) return
    banks.upload = pick(['rename', 'rename', 'direct', 'vanishes']) as Upload
    misbehave({})
  }

  /** Complete files in the folder for uploads, by name. */
  async function waitingFiles(): Promise<Map<string, Buffer>> {
    const files = new Map<string, Buffer>()
    for (const [path, content] of [...hostile.files, ...hostile.vanished]) {
      const name = /^\/in\/([^.].*)$/.exec(path)?.[1]
      // While the temporary name exists, the server is still copying.
      if (name && !hostile.files.has(`/in/.${name}.part`) && isWhole(name, content)) files.set(name, content)
    }
    for (const name of await readdir(join(sshd.root, 'in'))) {
      if (!name.startsWith('.')) files.set(name, await readFile(join(sshd.root, 'in', name)))
    }
    return files
  }

  const isWhole = (name: string, content: Buffer): boolean => {
    try {
      return readAch(name, content.toString('latin1')).entries.length > 0
    } catch {
      return false
    }
  }

  const read = async (name: string) => (await waitingFiles()).get(name) as Buffer

  async function take(name: string): Promise<Buffer> {
    const content = await read(name)
    assert.deepEqual(taken.get(name) ?? content, content, `${name} arrived again with other bytes`)
    taken.set(name, content)
    takes.set(name, (takes.get(name) ?? 0) + 1)
    hostile.files.delete(`/in/${name}`)
    hostile.vanished.delete(`/in/${name}`)
    await rm(join(sshd.root, 'in', name), { force: true })
    return content
  }

  /** The parts of a file in Remit, and whether the bank has them. */
  async function partsOf(deps: Deps, fileId: string, kind: OutgoingFileKind) {
    const waiting = await waitingFiles()
    return (await listOutgoingFileParts(deps.sql, fileId)).map(({ name, contentSealed }) => {
      const content = contentSealed && deps.keyRing.open(contentSealed, sealedAs(kind))
      const atBank = [taken.get(name), waiting.get(name)]
      // Old bytes were deleted here, and the bank has the ones that were compared before.
      const isAtBank = atBank.some((one) => one && (content === null || one.equals(content)))
      return { name, isAtBank }
    })
  }

  /** The operator asks the bank whether it has a file. */
  async function ask(fileName: string, deps: Deps): Promise<void> {
    const [file] = await sentFiles(deps, fileName)
    assert.ok(file, `there is no file ${fileName}`)
    const parts = await partsOf(deps, file.id, file.kind)
    if (parts.every(({ isAtBank }) => isAtBank)) {
      await filesCommand({ by: 'Ann of the bank', why: 'she sees it' }, ['mark-sent', fileName])(deps)
      return
    }
    // The operator tells the bank that its server loses files. In half of the cases, the bank then fixes it.
    if (pick([true, false])) await repair()
    // The bank removes files that it does not know.
    for (const { name, isAtBank } of parts) if (!isAtBank) hostile.files.delete(`/in/${name}`)
    sends.set(fileName, (sends.get(fileName) ?? 0) + 1)
    await filesCommand({ yes: true }, ['send', fileName])(deps)
  }

  async function decide({ id, kind, fileName }: BankCase, deps: Deps): Promise<boolean> {
    if (kind === 'file_not_sent') await ask(fileName, deps)
    else if (kind === 'connection_failing' || kind === 'file_not_received') await repair()
    else return false
    count(kind)
    if (kind === 'file_not_received') await exceptionCommand({ note: 'the bank lets us read it' }, ['close', id])(deps)
    return true
  }

  /** Checks that each file with the status TRANSMITTED is at the bank. */
  async function assertSafe(deps: Deps): Promise<void> {
    for (const { id, name, kind, transmittedAt } of await sentFiles(deps)) {
      if (transmittedAt === null || verifiedIds.has(id)) continue
      const absent = (await partsOf(deps, id, kind)).filter(({ isAtBank }) => !isAtBank)
      assert.deepEqual(absent, [], `${name} is believed sent and not at the bank`)
      verifiedIds.add(id)
    }
  }

  async function assertEnded(
    deps: Deps,
    { transmissions, resent }: { transmissions: number; resent: ReadonlyMap<string, number> },
  ): Promise<void> {
    const files = await sentFiles(deps)
    const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, one) => total + one, 0)
    assert.equal(
      transmissions,
      files.filter(({ transmittedAt }) => transmittedAt !== null).length + sum(resent.values()),
      'each file became TRANSMITTED once, and again after each resend',
    )
    const known = new Set<string>()
    for (const { id, name, kind, status } of files) {
      assert.notEqual(status, 'WRITTEN', name)
      const again = (resent.get(`${name}.ach`) ?? 0) + (sends.get(name) ?? 0)
      for (const part of await partsOf(deps, id, kind)) {
        known.add(part.name)
        assert.equal(part.isAtBank, status !== 'CANCELED', `${part.name} is ${status}`)
        assert.ok((takes.get(part.name) ?? 0) <= 1 + again, `${part.name} was sent ${takes.get(part.name)} times`)
      }
    }
    assert.deepEqual(
      [...taken.keys()].filter((name) => !known.has(name)),
      [],
      'the bank has no file under another name',
    )
    assert.deepEqual([...hostile.files.keys(), ...(await readdir(join(sshd.root, 'in')))], [], 'nothing is left')
  }

  return {
    waiting: async () => [...(await waitingFiles()).keys()].sort(),
    read,
    take,
    put: async (name, content) => {
      if (/^(paid|mail)-/.test(name)) await sshd.put(`out/${name}`, content)
      else hostile.files.set(`/out/${name}`, Buffer.from(content))
    },
    cancelable: async (deps) => (await openNames(deps)).map((name) => `${name}.ach`),
    isListed: true,
    later: (deps) => {
      realMs += 60_000 * (isRepaired ? 70 : (pick([1, 5, 15, 70]) as number))
      const now = new Date(realMs)
      const meter = { ...deps.meter, sessionEnded: ({ outcome }: { outcome: string }) => count(`session ${outcome}`) }
      return { ...deps, meter, realClock: { now: () => now } }
    },
    happenings: { 'first bank': [5, failFirst], 'second bank': [2, failSecond], reload: [1, reload] },
    decide,
    disturb,
    disturbedRounds: 8,
    repair,
    assertSafe,
    assertEnded,
    counts,
  }
}

type SentFile = { id: string; name: string; kind: OutgoingFileKind; status: string; transmittedAt: Date | null }

/** The files that Remit sends, all or those with a name. */
const sentFiles = ({ sql }: Deps, name: string | null = null) => sql<SentFile[]>`
  select id, name, kind, status, transmitted_at from exchanges where direction = 'out' and name = coalesce(${name}, name)
`

/** ACH files that are not sent yet. */
const openNames = async ({ sql }: Deps): Promise<string[]> =>
  (await sql<{ name: string }[]>`select name from exchanges where kind = 'ach' and status = 'WRITTEN'`).map(
    ({ name }) => name,
  )
