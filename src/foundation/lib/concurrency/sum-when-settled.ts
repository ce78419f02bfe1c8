/** Waits until all have ended. @returns the sum of their results @throws the first error, when all have ended */
export async function sumWhenSettled(parts: readonly Promise<number>[]): Promise<number> {
  const results = await Promise.allSettled(parts)
  const failed = results.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
  return results.reduce((sum, one) => sum + (one.status === 'fulfilled' ? one.value : 0), 0)
}
