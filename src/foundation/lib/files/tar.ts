const BLOCK_BYTES = 512

/** The time that npm gives all files of a package, so that the same files make the same archive. */
const MODIFIED = new Date('1985-10-26T08:15:00Z')

/** A file of an archive. `name` has at most 100 bytes. */
export type ArchivedFile = { name: string; content: Buffer }

/** Returns a tar archive in the ustar format, without compression. Its bytes depend only on the files. */
export function tarOf(files: readonly ArchivedFile[]): Buffer {
  const blocks = files.flatMap(({ name, content }) => [
    headerOf(name, content.length),
    content,
    paddingOf(content.length),
  ])
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK_BYTES)])
}

const paddingOf = (size: number): Buffer => Buffer.alloc((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES)

function headerOf(name: string, size: number): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`the name of a file is too long for a tar archive: ${name}`)
  const header = Buffer.alloc(BLOCK_BYTES)
  header.write(name, 0)
  header.write(octal(0o644, 8), 100)
  header.write(octal(0, 8), 108) // user
  header.write(octal(0, 8), 116) // group
  header.write(octal(size, 12), 124)
  header.write(octal(MODIFIED.getTime() / 1_000, 12), 136)
  header.write('0', 156) // a regular file
  header.write('ustar\u000000', 257)
  header.fill(' ', 148, 156) // the sum of all bytes is computed with spaces in its own place
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${octal(sum, 7)} `, 148)
  return header
}

const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\u0000`
