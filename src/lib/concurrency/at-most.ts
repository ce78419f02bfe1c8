/**
 * Lets at most `atOnce` run at the same time. Others wait in line, at most `maxWaiting` of them: beyond that `whenFull`
 * is thrown.
 */
export function atMost({ atOnce, maxWaiting, whenFull }: { atOnce: number; maxWaiting: number; whenFull(): Error }) {
  const line: (() => void)[] = []
  let running = 0

  async function takePlace(): Promise<void> {
    if (running < atOnce) running++
    else if (line.length < maxWaiting) await new Promise<void>((goOn) => line.push(goOn))
    else throw whenFull()
  }

  /** The place goes to the next in line. */
  function leavePlace(): void {
    const goOn = line.shift()
    if (goOn) goOn()
    else running--
  }

  return async <T>(run: () => Promise<T>): Promise<T> => {
    await takePlace()
    try {
      return await run()
    } finally {
      leavePlace()
    }
  }
}
