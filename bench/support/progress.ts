/** Prints progress: on one line of a terminal, otherwise line by line. */
export function createProgress(out: NodeJS.WriteStream = process.stderr) {
  const begin = Date.now()
  const elapsed = () => `${String(Math.round((Date.now() - begin) / 1000)).padStart(5)} s`
  return {
    say(text: string): void {
      const line = `${elapsed()}  ${text}`
      out.write(out.isTTY ? `\r\x1b[K${line.slice(0, (out.columns ?? 80) - 1)}` : `${line}\n`)
    },
    done(): void {
      if (out.isTTY) out.write('\r\x1b[K')
    },
  }
}
