import { createRequire } from 'node:module'
import { type Font as FontFile, openSync } from 'fontkit'

/** The styles of IBM Plex Sans used on paper. I, l and 1 look different, and all digits have one width. */
const FONT_FILES = {
  regular: '400Regular/IBMPlexSans_400Regular.ttf',
  bold: '600SemiBold/IBMPlexSans_600SemiBold.ttf',
  italic: '400Regular_Italic/IBMPlexSans_400Regular_Italic.ttf',
} as const

export type Font = keyof typeof FONT_FILES

export const FONTS = Object.keys(FONT_FILES) as Font[]

const { resolve } = createRequire(import.meta.url)

/** Opens a font once, because reading its tables takes longer than drawing a check. */
export function openFont(font: Font): FontFile {
  const known = opened.get(font)
  if (known) return known
  const file = openSync(resolve(`@expo-google-fonts/ibm-plex-sans/${FONT_FILES[font]}`)) as FontFile
  opened.set(font, file)
  return file
}

const opened = new Map<Font, FontFile>()

/** Registers the fonts with a document, which embeds the glyphs that it uses. */
export function registerFonts(document: PDFKit.PDFDocument): void {
  // pdfkit accepts opened fonts, but its types do not say so.
  for (const font of FONTS) document.registerFont(font, openFont(font) as unknown as Buffer)
}
