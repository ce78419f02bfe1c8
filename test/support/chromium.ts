import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { chromium } from 'playwright-core'
import { digestOf, keepMade } from './kept.ts'
import { atProcessEnd } from './process-end.ts'
import { slowDown } from './slow-pages.ts'
import { LIMIT_MS } from './wait-until.ts'

const SYSTEM_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * Returns the Chromium of CHROME_PATH, the system or npm, in this order. The one from npm is unpacked once and kept,
 * with the libraries that a minimal machine lacks. Called once for all tests of a run (test/run.ts).
 *
 * @param folder for the font configuration
 * @returns variables for the tests
 */
export async function findChromium(folder: string): Promise<Record<string, string>> {
  const path = process.env.CHROME_PATH ?? SYSTEM_PATHS.find(existsSync)
  if (path) return { TEST_RUN_CHROME: path }
  const packed = fileURLToPath(new URL('../bin/', import.meta.resolve('@sparticuz/chromium')))
  const kept = await keepMade(`chromium-${await digestOf({ texts: [packed], files: ['package-lock.json'] })}`, unpack)
  await writeFile(join(folder, 'fonts.conf'), fontconfig(join(kept, 'fonts'), join(folder, 'font-cache')))
  return {
    TEST_RUN_CHROME: join(kept, 'chromium'),
    TEST_RUN_CHROME_LIBRARIES: join(kept, 'al2023', 'lib'),
    TEST_RUN_CHROME_FONTS: folder,
  }
}

async function unpack(folder: string): Promise<void> {
  const { TMPDIR } = process.env
  process.env.TMPDIR = folder // the package unpacks to this folder
  const { default: packed, inflate } = await import('@sparticuz/chromium')
  await packed.executablePath()
  await inflate(fileURLToPath(new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium'))))
  if (TMPDIR === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = TMPDIR
}

/** The package's own configuration names folders of its cloud. Without a font, Chromium renders no text. */
const fontconfig = (fonts: string, cache: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${fonts}</dir>
  <cachedir>${cache}</cachedir>
</fontconfig>
`

type Lifetime = { after(end: () => Promise<void>): void }

/** All files of a process share one browser. */
let browser: Promise<Browser> | undefined

/** Opens browser contexts, which are closed at the end of the test `t`. Each has its own cookies, colors and size. */
export async function startChromium(
  t: Lifetime,
): Promise<(options?: BrowserContextOptions) => Promise<BrowserContext>> {
  const contexts: BrowserContext[] = []
  // Before the first `await`: after it, the hook would belong to the file that launched the browser, and would never run.
  t.after(async () => void (await Promise.all(contexts.map((context) => context.close()))))
  browser ??= launch()
  const running = await browser
  return async (options) => {
    const context = await running.newContext(options)
    contexts.push(context)
    context.setDefaultTimeout(LIMIT_MS)
    slowDown(context)
    return context
  }
}

async function launch(): Promise<Browser> {
  const { TEST_RUN_CHROME: executablePath, TEST_RUN_CHROME_LIBRARIES, TEST_RUN_CHROME_FONTS } = process.env
  if (!executablePath) throw new Error('run this with: node test/run.ts FILE')
  const launched = await chromium.launch({
    executablePath,
    // The tests also run as root. A page exists for a second, so compiling its scripts to fast code does not pay.
    args: ['--no-sandbox', '--js-flags=--no-opt,--no-maglev'],
    env: {
      ...process.env,
      ...(TEST_RUN_CHROME_LIBRARIES && { LD_LIBRARY_PATH: TEST_RUN_CHROME_LIBRARIES }),
      ...(TEST_RUN_CHROME_FONTS && { FONTCONFIG_PATH: TEST_RUN_CHROME_FONTS }),
    } as Record<string, string>,
  })
  atProcessEnd(() => launched.close())
  return launched
}
