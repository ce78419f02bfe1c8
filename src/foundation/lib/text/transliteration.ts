/**
 * Letters that Unicode does not decompose. Each group follows the Latin letters that replace it. Names are spelled as in passports (ICAO
 * 9303-3, section 6), and rare letters by sound or shape. Upper case is derived.
 */
// biome-ignore format: as many as fit on a line
const LETTERS: readonly string[] = [
  // Latin
  "':ƾɂʔʕʖʡʢʹʾᴤꞌ꟎꟏𝼎 .:ꞏ 2:ƨƻ 5:ƽ 6:ƅ SS:ẞ a:ɐɑɒəɚᴀᴥᶏᶐᶕⱥꜣꜥꞻꬰꬱꭤ aa:ꜳ𐞀 ae:æᴁᴂꞛ ao:ꜵ au:ꜷ av:ꜹꜻ ay:ꜽ b:ƀƃɓʙᴃᴯᵬᶀꞗꞵ",
  'c:ƈǀȼɕʗᴄↄꜿꞓꞔ𝼏𝼝 ch:ꭓꭔꭕ con:ꝯ d:ðđƌƍȡɖɗᴅᴆᵭᶁᶑẟꝺꟈ𝼥 db:ȸ dum:ꝱ dz:ʣʥꭦ dzh:ʤ𝼒𝼙 e:ǝɇɘɛɜɝɞʚᴇᴈᶒᶓᶔⱸⱻꬲꬳꬴ et:ꝫ f:ƒⅎᵮᶂꜰꝼꞙꟻꬵ',
  'fng:ʩ𝼀 g:ǥɠɡɢɣʛᵷᵹᶃꝿꞡꟑꬶ𝼁𝼂 gh:ȝ h:ħɥɦɧʜʮʯⱨⱶꜧꞕꟶ hv:ƕ i:ıɨɩɪᴉᵎᵻᵼᶖꞽꟷꟾ𝼚 ie:ꭠꭡ is:ꝭ j:ȷɉɟʄʝᴊ k:ĸƙʞᴋᶄⱪꝁꝃꝅꞣ𝼃𝼐',
  'l:łƚƛȴɫɬɭʟᴌᶅⱡꝇꝉꞁꞎꟚꟛꟜꬷꬸꬹ𝼄𝼑𝼓𝼦 ll:ỻ ls:ʪ lum:ꝲ lz:ʫ lzh:ɮ𝼅 m:ɯɰɱᴍᴟᵯᶆꟺꟽꟿꬺ mum:ꝳ n:ŋƞȵɲɳɴᴎᴻᵰᶇꞑꞥꬻꬼ𝼇𝼔𝼧 num:ꝴ',
  'o:øɔɤɵɷᴏᴐᴑᴒᴓᴖᴗᶗⱺꝋꝍꞷꟁꟋꬽꬾꬿ𝼛 oe:œɶᴔꞝꭀꭁꭂꭢ oi:ƣ oo:ꝏꭃꭄ ou:ȣᴕ p:ƥʘʬᴘᵱᵽᶈꝑꝓꝕꟼ ph:ɸⱷ q:ǃɋʠꜫꜭꝗꝙꞯ𝼊 qp:ȹ',
  'r:ɍɹɺɻɼɽɾɿʀʁᴙᴚᵲᵳᶉⱹꝛꞃꞧꭅꭆꭇꭈꭉꭊꭋꭌꭨ𝼈𝼕𝼖𝼨 rum:ꝝꝵꝶ s:ȿʂᵴᶊẜẝꜱꞅꞩꟊꟌꟍꟗꟙ𝼞𝼩 sh:ƪʃʅʆᶋᶘꭍ𝼋𝼌 ss:ß t:ŧƫƭȶʇʈʭᴛᵵⱦꞇ𝼉𝼍𝼪 tc:ǂʨ',
  'th:þᵺꝥꝧ꟒ꟓ ts:ʦꭧ tsh:ʧ𝼗𝼜 tum:ꝷ tz:ꜩꜯ u:ʉʊᴜᴝᴞᵾᵿᶙꞹꞿꭎꭏꭒ ue:ᵫꞟ ui:ꭐꭑ um:ꝸ uo:ꭣ v:ʋʌᴠᶌỽⱱⱴꝟꝩ vy:ꝡ w:ƿʍᴡⱳꟃ꟔ꟕ x:ǁᶍꭖꭗꭘꭙ',
  'y:ƴɏʎʏỿꭚ𝼆 z:ƶȥɀʐʑᴢᵶᶎⱬꝣ zh:ƹƺʒʓᴣᶚ𝼘',
  // Greek
  'a:α ch:χ d:δ e:ε f:φ g:γᴦ h:ͱ i:ηι j:ϳ k:κ kai:ϗ l:λᴧ m:μ n:ν o:οωꭥ p:πᴨ ps:ψᴪ q:ϙϟ r:ρϼᴩ s:ͻͼͽςσϻ sh:ϸ ss:ͳϡ',
  'st:ϛ t:τ th:θ v:β w:ͷϝ x:ξ y:υ z:ζ',
  // Cyrillic
  ":ьҍꙏ ':ӏꙿ a:аә ae:ӕ b:б c:ћ cch:ꚇ ch:чҷҹҽҿӌ d:дђԁᲁꙣ dch:ԭ dj:ԃꙉ dw:ꚁ dz:ѕџӡꙃꙅ dzj:ԇ dzw:ꚃ dzz:ꚉ dzzh:ԫ e:еэёѣᲇ",
  'f:фѳ g:гґғҕҝӷӻ h:һԧ hw:ꚕ i:ийіїѵҋꙇ ia:яѧѩԙꙗꙙꙝ ie:ъєѥᲆꙓ in:ꙟ iu:юѭꙕ j:ј k:кќқҟҡӄԟ kh:хҳӽӿ l:лӆԓԡԯᴫꙥ lj:љԉ lkh:ԕ',
  'm:мӎꙧ n:нңҥӈӊԣԩ nj:њԋ o:оѡѻѽҩөᲂꙍꙩꙫꙭꙮꚙꚛ ot:ѿ p:пҧԥ ps:ѱ q:ҁԛ r:рҏ rkh:ԗ s:сҫᲃ sh:ш shch:щ shw:ꚗ sj:ԍ t:тҭᲄᲅꚋ',
  'tch:ꚓ tj:ԏᲉᲊ ts:цҵꙡ tss:ꚑ tsw:ꚏ tw:ꚍ u:уўѫѹүұᲈꙋꙛ v:вᲀ w:ԝ x:ѯ y:ыꙑ z:зҙԑꙁ zh:жҗ zhw:ꚅ zj:ԅ',
]

/** Symbols and their replacements in ASCII. */
const SIGNS = [
  "‐ -|‑ -|‒ -|– -|— -|― -|− -|… ...|‘ '|’ '|‚ '|ʻ '|ʼ '|′ '|“ \"|” \"|„ \"|« \"|» \"|″ \"|‹ '|› '|· .|ː :|ˑ .|• *|⁄ /|× x|÷ /",
  '€ EUR|£ GBP|¥ JPY|¢ c|₽ RUB|₹ INR|₩ KRW|₪ ILS|© (C)|® (R)|¡ !|¿ ?',
]

const LATIN_OF_CHARACTER = new Map<string, string>([
  ...LETTERS.flatMap((line) => line.split(' '))
    .map((group) => group.split(':') as [latin: string, letters: string])
    .flatMap(([latin, letters]) => [...letters].flatMap((letter) => bothCases(letter, latin))),
  ...SIGNS.flatMap((line) => line.split('|')).map((pair) => pair.split(' ') as [sign: string, ascii: string]),
])

function bothCases(letter: string, latin: string): [string, string][] {
  const upper = letter.toUpperCase()
  if (upper === letter || [...upper].length !== 1) return [[letter, latin]]
  return [
    [upper, latin.charAt(0).toUpperCase() + latin.slice(1)],
    [letter, latin],
  ]
}

/**
 * Writes a text on one line, with only characters for which `isKept` is true. Those must include printable ASCII. Other Latin, Greek and
 * Cyrillic letters become Latin letters. White space and control characters become spaces. `unknown` replaces all others.
 */
export function transliterate(
  text: string,
  { isKept, unknown }: { isKept(character: string): boolean; unknown: string },
): string {
  const line = text.normalize('NFC').replace(/[\s\p{Cc}]+/gu, ' ')
  // "ου" is one sound, so the replacement of "υ" depends on the letter before it.
  const characters = isKept('υ') ? line : line.replace(/(?<=[οΟ])[υύ]/g, 'u').replace(/(?<=[οΟ])[ΥΎ]/g, 'U')
  const written = [...characters].map((character) => {
    if (isKept(character)) return character
    const letters = [...character.normalize('NFKD').replace(/[\p{M}\p{Cf}\p{Cs}\p{Zs}]/gu, '')]
    return letters.map((letter) => (isKept(letter) ? letter : (LATIN_OF_CHARACTER.get(letter) ?? unknown))).join('')
  })
  return written.join('').trim()
}

/** Returns whether a character is printable ASCII, from space to tilde. */
export const isPrintableAscii = (character: string): boolean => character >= ' ' && character <= '~'
