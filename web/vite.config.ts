import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Writes each script and style sheet also as Brotli and gzip, which the service sends to browsers that accept it. */
const compress = (): Plugin => ({
  name: 'compress',
  apply: 'build',
  writeBundle: async ({ dir = '' }) => {
    const folder = join(dir, 'assets')
    for (const name of await readdir(folder)) {
      if (!/\.(js|css|svg)$/.test(name)) continue
      const content = await readFile(join(folder, name))
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
      await writeFile(join(folder, `${name}.br`), brotliCompressSync(content, { params }))
      await writeFile(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }))
    }
  },
})

// Nothing is inlined: the service sends `script-src 'self'` and `img-src 'self' data:` with every page.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compress()],
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Browsers that support light-dark(). For older ones, Vite would replace it by variables that Mantine's color-scheme does not set.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
  },
})
