const BAR_WIDTH = 30

/** Formats the progress of a transfer as one line: `20261122-A  [######------------------------]  20 %  1.0 of 5.0 MB`. */
export function progressLine(
  name: string,
  { doneBytes, totalBytes }: { doneBytes: number; totalBytes: number },
): string {
  const share = totalBytes === 0 ? 1 : doneBytes / totalBytes
  const filled = Math.floor(share * BAR_WIDTH)
  const bar = `${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}`
  return `${name}  [${bar}]  ${Math.floor(share * 100)} %  ${megabytes(doneBytes)} of ${megabytes(totalBytes)} MB`
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1)
