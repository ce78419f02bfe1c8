/** When the table below was compiled. */
export const BANK_NAMES_DATE = '2026-11-27'

/**
 * The largest banks and credit unions of the United States with their usual routing numbers. The table was compiled by hand from numbers that
 * are publicly known. Those of the four largest banks were compared with public lists, and all with their check digits. It is partial:
 * other banks have no name here. Nothing is decided by a name: it only helps people to see a wrong number. The directories of the Federal
 * Reserve have all banks, but their terms of use do not allow shipping them.
 */
const TABLE = `
Ally Bank: 124003116
Alliant Credit Union: 271081528
America First Credit Union: 324377516
American Express National Bank: 124085066
Arvest Bank: 082900872
Associated Bank: 075900575
Axos Bank: 122287251
BECU: 325081403
BMO: 071000288 121100782
BNY: 021000018 043000261
BOK Financial: 103900036
Bank of America: 011000138 011200365 011400495 011500010 011900254 011900571 021000322 021200339 026009593 031202084 051000017 052001633
Bank of America: 053000196 053904483 054001204 061000052 063000047 063100277 064000020 071000505 071103619 071214579 072000805 073000176
Bank of America: 081000032 081904808 082000073 101000035 101100045 103000017 107000327 111000025 121000358 122000661 122101706 122400724
Bank of America: 123103716 125000024 323070380
Bank of Hawaii: 121301028
Bank OZK: 082907273
The Bancorp Bank: 031101279
Capital One: 031176110 051405515 065000090
Cathay Bank: 122203950
Charles Schwab Bank: 121202211
Chase: 021000021 021100361 021202337 022300173 044000037 051900366 061092387 065400137 071000013 072000326 074000010 075000019 083000137
Chase: 102001017 103000648 111000614 122100024 123271978 124001545 267084131 322271627 325070760
Choice Financial Group: 091311229
Citibank: 021000089 021272655 052002166 113193532 221172610 254070116 266086554 271070801 321171184 322271724
Citizens Bank: 011500120 021313103 036076150 211070175 241070417
City National Bank: 122016066
Column: 121145307
Comerica Bank: 072000096 111000753 121137522
Commerce Bank: 101000019
Cross River Bank: 021214891
Discover Bank: 031100649
East West Bank: 322070381
Evolve Bank & Trust: 084106768
Fifth Third Bank: 042000314
First Citizens Bank: 053100300 121140399
First Hawaiian Bank: 121301015
First Horizon Bank: 084000026
First National Bank of Omaha: 104000016
First Tech Federal Credit Union: 321180379
Frost Bank: 114000093
Golden 1 Credit Union: 321175261
Green Dot Bank: 124303120
HSBC Bank USA: 021001088
Huntington National Bank: 044000024
KeyBank: 021300077 041001039 125000574
Lead Bank: 101019644
M&T Bank: 022000046 031302955 052000113
Marcus by Goldman Sachs: 124085024
Navy Federal Credit Union: 256074974
Northern Trust: 071000152
Old National Bank: 086300012
PNC Bank: 031000053 031207607 041000124 043000096 054000030 071921891 083000108
Pathward: 073972181
Pentagon Federal Credit Union: 256078446
Popular Bank: 021502011
Regions Bank: 062000019 062005690 063104668 064000017 082000109
Santander Bank: 011075150 231372691
SchoolsFirst Federal Credit Union: 322282001
SoFi Bank: 031101334
State Employees’ Credit Union: 253177049
State Street Bank: 011000028
Stride Bank: 103100195
Sutton Bank: 041215663
Synovus Bank: 061100606
TD Bank: 011103093 011600033 026013673 031101266 031201360 054001725 067014822 211274450 211370545
Texas Capital Bank: 111017979
Truist: 053101121 055002707 061000104 061113415 063102152 263191387
U.S. Bank: 042000013 064000059 071904779 073000545 081000210 091000022 102101645 104000029 121122676 121201694 122105155 122235821 123000220
U.S. Bank: 125000105
UMB Bank: 101000695
USAA Federal Savings Bank: 314074269
Valley National Bank: 021201383
Varo Bank: 124303201
Webster Bank: 211170101
Wells Fargo: 021101108 021200025 026012881 031000503 031100869 041215537 051400549 053000219 053207766 055003201 061000227 062000080
Wells Fargo: 063107513 064003768 065301948 071101307 073000228 074900275 075911988 091000019 091101455 091300010 091400046 092905278
Wells Fargo: 102000076 102301092 104000058 107002192 111900659 112000066 121000248 121042882 122105278 123006800 124002971 124103799 125008547
Wells Fargo: 125200057 321270742
Zions Bank: 124000054
`

const rows = TABLE.trim()
  .split('\n')
  .flatMap((line) => {
    const [name = '', numbers = ''] = line.split(': ')
    return numbers.split(' ').map((number) => [number, name] as const)
  })

const names: ReadonlyMap<string, string> = new Map(rows)

/** The bank of a routing number. Null: unknown. */
export const bankNameOf = (routingNumber: string): string | null => names.get(routingNumber) ?? null

/** All routing numbers of the table. */
export const NAMED_ROUTING_NUMBERS: readonly string[] = rows.map(([number]) => number)
