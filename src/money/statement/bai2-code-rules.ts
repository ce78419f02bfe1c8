import type { BalanceKind, LineKind } from './statement-types.ts'

// The uniform type codes of BAI2: appendix A of "Cash Management Balance Reporting Specifications Version 2" (BAI, 2005), with the codes that BAI
// and X9 published later (102, 158, 159, 402, 458, 459, 706, 708, 827 to 829).

/** The codes of transactions (16 records), by the kind of their line. */
const DETAIL_CODES: Record<Exclude<LineKind, 'unknown'>, string> = {
  ach: '121 142 143 145 155 156 164 165 166 169 421 445 447 451 452 455 462 464 466 469',
  check: '435 472 474 475 484 522',
  wire: '191 195 196 198 208 491 493 495 496 498 508',
  realtime: '158 458',
  card: '147',
  deposit: [
    '115 116 118 136 171 172 173 174 175 176 184 187 189 221 222 301 342 345 366 379 384 386 387 415 487',
    '489 679 684 686 687 695',
  ].join(' '),
  transfer: '135 201 206 274 275 276 277 278 281 347 501 506 574 575 577 578 581 656',
  fee: '224 398 524 564 567 661 698',
  interest: '242 346 354 359 654 659',
  return: '123 168 252 255 257 258 261 266 268 395 423 468 552 555 557 558 561 566 568 694',
  information: '890',
  other: [
    '108 122 202 212 213 214 216 218 226 227 229 232 233 234 235 236 237 238 240 241 243 244 246 247 248',
    '249 254 263 286 295 306 308 331 344 348 349 351 353 357 358 362 363 364 367 368 369 372 373 374 376',
    '377 378 381 382 383 388 391 392 393 394 397 399 408 409 422 476 477 479 481 485 502 512 513 514 516',
    '518 526 527 529 531 533 535 538 540 541 542 543 544 546 547 548 549 554 563 595 597 616 622 627 629',
    '631 633 634 641 644 651 657 658 662 663 664 666 667 668 669 672 673 674 676 677 678 681 682 683 688',
    '691 692 693 696 697 699 706 708 721 722 723 724 725 726 727 728',
  ].join(' '),
}

/** The codes of sums (03 records). A line with such a code in a 16 record has no kind. */
const SUMMARY_CODES = new Set(
  [
    '100 101 102 105 106 107 109 110 120 130 131 140 146 150 159 160 162 163 167 170 178 180 182 185 186',
    '188 190 200 205 207 210 215 230 231 239 245 250 251 256 260 270 271 280 285 294 302 303 304 305 307',
    '309 310 315 316 318 319 320 321 324 325 326 327 328 329 330 332 336 338 340 341 343 350 352 355 356',
    '360 361 370 385 389 390 400 401 402 403 405 406 410 412 416 420 430 446 450 459 463 465 467 470 471',
    '478 480 482 486 490 500 505 507 510 515 530 532 534 536 537 539 550 551 556 560 570 580 583 584 585',
    '586 587 588 590 594 596 601 602 610 611 612 613 614 615 617 618 621 623 625 626 628 630 632 640 646',
    '650 655 665 670 685 689 690 720 760 827 828 829',
  ]
    .join(' ')
    .split(' '),
)

const kinds = new Map(
  Object.entries(DETAIL_CODES).flatMap(([kind, codes]) => codes.split(' ').map((code) => [code, kind as LineKind])),
)

/** The codes of checks. The customer reference of such a line is the check number (section 16 of the specification). */
const CHECK_NUMBER_CODES = ['395', '474', '475']

/** The codes that banks define. Their range determines the sign: 930 to 959 are credits, 960 to 999 are debits. */
const CUSTOM_CREDITS = { from: 930, to: 959 }
const CUSTOM_DEBITS = { from: 960, to: 999 }

/** The loan codes outside of the ranges of credits and debits. */
const LOAN_CREDITS = ['706', '708', '720', '721', '722', '723', '724', '725', '726', '727', '728', '827', '829']
const LOAN_DEBITS = ['760', '828']

export type TypeCode = {
  /** The sign of the amount. 1: credit, -1: debit, 0: no money moves, null: the code does not define it. */
  sign: 1 | -1 | 0 | null
  kind: LineKind
  level: 'status' | 'summary' | 'detail' | 'unknown'
  hasCheckNumber: boolean
}

/**
 * Returns the meaning of a code. Never refuses one: the sign follows from its range, and a code without a published meaning has the kind
 * `unknown`.
 */
export function typeCodeOf(code: string): TypeCode {
  const kind = kinds.get(code) ?? 'unknown'
  const known = kinds.has(code) ? 'detail' : 'unknown'
  const level = SUMMARY_CODES.has(code) ? 'summary' : isStatus(code) ? 'status' : known
  return { sign: signOf(code), kind, level, hasCheckNumber: CHECK_NUMBER_CODES.includes(code) }
}

const isStatus = (code: string): boolean => /^(0\d\d|70[13579]|9[012]\d)$/.test(code)

function signOf(code: string): TypeCode['sign'] {
  const number = Number(code)
  const isWithin = ({ from, to }: { from: number; to: number }) => number >= from && number <= to
  if (code === '890') return 0
  if (isWithin({ from: 100, to: 399 }) || isWithin(CUSTOM_CREDITS) || LOAN_CREDITS.includes(code)) return 1
  return isWithin({ from: 400, to: 699 }) || isWithin(CUSTOM_DEBITS) || LOAN_DEBITS.includes(code) ? -1 : null
}

/** The codes of balances that are used. All other status codes have the kind `other`. */
const BALANCE_KINDS: Readonly<Record<string, BalanceKind>> = {
  '010': 'opening',
  '015': 'closing',
  '030': 'interim',
  '040': 'available',
  '045': 'available',
  '060': 'available',
}

export const balanceKindOf = (code: string): BalanceKind => BALANCE_KINDS[code] ?? 'other'
