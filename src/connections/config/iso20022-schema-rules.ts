import { type Static, Type } from 'typebox'
import {
  CHARACTER_SETS,
  CHARGE_BEARERS,
  CREDIT_TRANSFERS,
  type IsoContract,
  type IsoRail,
  RECALLS,
  REPORT_NAMES,
} from '../../foundation/core/connections.ts'
import {
  centsOf,
  closed,
  listOf,
  ONE_LINE,
  oneOf,
  TIME,
  textLike,
  wholeNumber,
  yesOrNo,
} from './connections-schema-part-rules.ts'

/** The default values of optional keys. */
const defaults = { clearingSystem: 'USABA', nameLength: 140, answerHours: 24 }

const OWN = 'own:'

const code = (description: string) =>
  Type.Optional(
    textLike(`^([A-Z0-9]{1,4}|${OWN}[ -~]{1,35})$`, {
      description: `${description} An ISO code such as URGP, or the bank's own code such as own:RTP. Default: left out.`,
      errorMessage: 'must be a code of up to 4 capital letters and digits, or own: and a text of the bank',
    }),
  )

const text = (maxLength: number, description: string) =>
  textLike(`^(?=.*\\S)[^\\u0000-\\u001f]{1,${maxLength}}$`, {
    description,
    errorMessage: `must be a text of at most ${maxLength} characters`,
  })

const reference = (description: string) =>
  Type.Optional(
    textLike('^[A-Za-z0-9]([A-Za-z0-9.+-]{0,33}[A-Za-z0-9])?$', {
      description,
      errorMessage: 'must be at most 35 letters and digits',
    }),
  )

const country = textLike('^[A-Z]{2}$', {
  description: 'Country.',
  errorMessage: 'must be a country of two letters, such as US',
})

const BIC = '^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$'
const bic = textLike(BIC, { description: 'BIC of the bank.', errorMessage: 'must be a BIC' })

const address = closed(
  {
    street: Type.Optional(text(70, 'Street.')),
    building: Type.Optional(text(16, 'Number of the building.')),
    postal_code: Type.Optional(text(16, 'Postal code.')),
    town: text(35, 'Town.'),
    region: Type.Optional(text(35, 'State or region.')),
    country,
  },
  { description: 'Address of the holder, in parts.' },
)

const railTerms = (rail: IsoRail, { isAddressNeeded }: { isAddressNeeded: boolean }) =>
  Type.Optional(
    closed(
      {
        service_level: code('Service level (SvcLvl).'),
        local_instrument: code('Local instrument (LclInstrm).'),
        category_purpose: code('Category purpose (CtgyPurp).'),
        charges: Type.Optional(
          oneOf(CHARGE_BEARERS, {
            description:
              'The party that pays the fees of the banks: both, the sender, the payee, or according to the service level.',
          }),
        ),
        clearing_system: Type.Optional(
          textLike('^[A-Z]{5}$', {
            description: 'Clearing system of banks without a BIC.',
            errorMessage: 'must be a code of five capital letters such as USABA',
            default: defaults.clearingSystem,
          }),
        ),
        uetr: Type.Optional(yesOrNo('Whether the bank wants a UETR. Only pain.001.001.09 has one.', false)),
        address: Type.Optional(
          yesOrNo('Whether the payee’s address is required: town and country at least.', isAddressNeeded),
        ),
        regulatory_text: Type.Optional(
          yesOrNo('Whether the bank requires a regulatory text. It is the description of the payment.', false),
        ),
        name_length: Type.Optional(
          wholeNumber(1, defaults.nameLength, {
            description: 'Maximum length of a name on this rail.',
            default: defaults.nameLength,
          }),
        ),
        purpose: Type.Optional(
          textLike('^[A-Z0-9]{1,4}$', {
            description: 'Purpose of each order (Purp): a code of ISO such as SUPP. Default: left out.',
            errorMessage: 'must be a code of up to 4 capital letters and digits',
          }),
        ),
        ultimate_debtor: Type.Optional(
          yesOrNo('Whether orders name the sender of the payment as ultimate debtor (UltmtDbtr).', false),
        ),
        intermediary_bank: Type.Optional(
          closed(
            {
              bic,
              name: Type.Optional(text(140, 'Name of the bank. Default: left out.')),
            },
            { description: 'Bank through which orders go to the payee’s bank (IntrmyAgt1). Default: left out.' },
          ),
        ),
        amount_per_order: Type.Optional(
          wholeNumber(1, 9_999_999_999, {
            description:
              'Highest amount of one order. A payment above it is refused. In whole dollars. Default: no limit.',
          }),
        ),
        amount_per_day: Type.Optional(
          wholeNumber(1, 9_999_999_999, {
            description:
              'Highest sum of all orders of one execution date. Other payments wait for the next day. In whole dollars. Default: no limit.',
          }),
        ),
        cut_off: Type.Optional(
          textLike(`^${TIME}$`, {
            description:
              'Cut-off time on a banking day. Later orders are executed on the next banking day. Default: orders are executed at once, on every day.',
            errorMessage: 'must be a time from 00:00 to 23:59',
          }),
        ),
      },
      { description: `Orders of ${rail}, as the bank agreed. A connection that carries ${rail} needs it.` },
    ),
  )

/** The schema of ISO 20022 orders in connections.json. */
export const iso20022 = closed(
  {
    messages: Type.Optional(
      oneOf(CREDIT_TRANSFERS, { description: 'Version of the orders.', default: CREDIT_TRANSFERS[0] }),
    ),
    recalls: Type.Optional(
      oneOf(RECALLS, { description: 'Version of requests to cancel an order.', default: RECALLS[0] }),
    ),
    characters: Type.Optional(
      oneOf(CHARACTER_SETS, {
        description:
          'Letters that the bank can read. swift: those of SWIFT, which every bank reads. ascii: all of ASCII. unicode: all.',
        default: CHARACTER_SETS[0],
      }),
    ),
    profile_schemas: Type.Optional(
      textLike(ONE_LINE, {
        description:
          'Folder with the XML schemas that the bank gives out. A message that one of them refuses is not sent. Default: messages are not validated.',
        errorMessage: 'must be the path of a folder',
      }),
    ),
    initiating_party: closed(
      {
        name: text(140, 'Name of your company as the bank knows it.'),
        id: reference('Id of your company at the bank. Default: left out.'),
        scheme: Type.Optional(
          textLike('^[A-Z0-9]{1,4}$', {
            description: 'Kind of id: a code of ISO such as CUST or BANK. Default: left out.',
            errorMessage: 'must be a code of up to 4 capital letters and digits',
          }),
        ),
      },
      { description: 'The company that sends the orders.' },
    ),
    account: textLike('^[a-z][a-z0-9-]{0,29}$', {
      description: 'Account that is debited.',
      errorMessage: 'must be the id of an account',
    }),
    holder: text(140, 'Holder of this account as the bank knows it.'),
    holder_address: Type.Optional(address),
    bic: Type.Optional(
      textLike(BIC, {
        description: 'BIC of the bank. Default: orders name its routing number only.',
        errorMessage: 'must be a BIC',
      }),
    ),
    report_names: Type.Optional(
      listOf(
        textLike('^[^/\\u0000-\\u001f]{1,255}$', {
          description: 'A name.',
          errorMessage: 'must be the name of a file',
        }),
        {
          description: `Names of files with answers (pain.002, camt.029), with * for any characters. Default: ${REPORT_NAMES.join(', ')}.`,
          minItems: 1,
        },
      ),
    ),
    answer_hours: Type.Optional(
      wholeNumber(1, 720, {
        description: 'Hours after which an order without a final answer is an exception.',
        default: defaults.answerHours,
      }),
    ),
    rails: closed(
      {
        RTP: railTerms('RTP', { isAddressNeeded: false }),
        WIRE: railTerms('WIRE', { isAddressNeeded: true }),
        SWIFT: railTerms('SWIFT', { isAddressNeeded: true }),
      },
      { description: 'The orders of each rail.', minProperties: 1 },
    ),
  },
  { description: 'Orders by ISO 20022: wires and real-time payments.' },
)

type IsoInFile = Static<typeof iso20022>

const codeOf = (given: string | undefined) => {
  if (given === undefined) return null
  return given.startsWith(OWN) ? { proprietary: given.slice(OWN.length) } : { code: given }
}

const RAILS_WITH_ADDRESS: readonly IsoRail[] = ['WIRE', 'SWIFT']

const termsOfRail = (rail: IsoRail, given: NonNullable<IsoInFile['rails'][IsoRail]>) => ({
  serviceLevel: codeOf(given.service_level),
  localInstrument: codeOf(given.local_instrument),
  categoryPurpose: codeOf(given.category_purpose),
  chargeBearer: given.charges ?? null,
  clearingSystem: given.clearing_system ?? defaults.clearingSystem,
  hasUetr: given.uetr ?? false,
  needsAddress: given.address ?? RAILS_WITH_ADDRESS.includes(rail),
  needsRegulatoryText: given.regulatory_text ?? false,
  nameLength: given.name_length ?? defaults.nameLength,
  purpose: given.purpose ?? null,
  namesSender: given.ultimate_debtor ?? false,
  intermediaryBank: given.intermediary_bank
    ? { bic: given.intermediary_bank.bic, name: given.intermediary_bank.name ?? null }
    : null,
  centsPerOrder: centsOf(given.amount_per_order),
  centsPerDay: centsOf(given.amount_per_day),
})

/** Converts the content of the file, and adds defaults. @param path makes a path absolute */
export function isoContractOf(given: IsoInFile, path: (file: string) => string): IsoContract {
  const rails = Object.entries(given.rails) as [IsoRail, NonNullable<IsoInFile['rails'][IsoRail]>][]
  const { initiating_party: party, holder_address: holderAddress } = given
  return {
    terms: {
      creditTransfer: given.messages ?? CREDIT_TRANSFERS[0],
      recall: given.recalls ?? RECALLS[0],
      characters: given.characters ?? CHARACTER_SETS[0],
      initiatingParty: { name: party.name, id: party.id ?? null, scheme: party.scheme ?? null },
      rails: Object.fromEntries(rails.map(([rail, one]) => [rail, termsOfRail(rail, one)])),
    },
    account: given.account,
    holder: {
      name: given.holder,
      address: holderAddress
        ? {
            street: holderAddress.street ?? null,
            building: holderAddress.building ?? null,
            postalCode: holderAddress.postal_code ?? null,
            town: holderAddress.town,
            region: holderAddress.region ?? null,
            country: holderAddress.country,
          }
        : null,
    },
    bic: given.bic ?? null,
    cutOffs: Object.fromEntries(rails.map(([rail, { cut_off: cutOff }]) => [rail, cutOff ?? null])),
    schemaFolder: given.profile_schemas === undefined ? null : path(given.profile_schemas),
    reportNames: given.report_names ?? REPORT_NAMES,
    answerHours: given.answer_hours ?? defaults.answerHours,
  }
}
