import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// Nothing is inlined: the service sends `script-src 'self'` and `img-src 'self' data:` with every page.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: { outDir: 'dist', assetsDir: 'assets', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
})
