import { test } from 'node:test'

/**
 * Runs several test files in this process. Each is imported when the tests of the one before have ended: loading a file keeps the
 * process busy, and tests with short time-outs would notice. Its own tests start when it is loaded, so that everything below them is
 * initialized. A test with the name of the file stands for its loading.
 */
export async function runInTurn(files: readonly { name: string; url: string }[]): Promise<void> {
  for (const { name, url } of files) {
    const loading = Promise.withResolvers<void>()
    await new Promise<void>((resolve) => {
      test(name, () => {
        resolve()
        return loading.promise
      })
    })
    await import(url).then(() => loading.resolve(), loading.reject)
  }
}
