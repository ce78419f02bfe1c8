import { type Static, Type } from 'typebox'
import { requirePermission } from '../../foundation/http/permission.ts'
import { requireRecentProof } from '../../foundation/http/recent-proof.ts'
import { get, post, put, type Route } from '../../foundation/http/route.ts'
import {
  calendarDate,
  closed,
  email,
  id,
  idParams,
  named,
  nothing,
  nullable,
  oneOf,
  optionalAddress,
  text,
} from '../../foundation/http/schema.ts'
import { changeWebhookUri } from './api-key/developer-actions.ts'
import { getUser, type ProfileChanges, storeSignature, type User, updateProfile, visibleUser } from './user-actions.ts'
import { NAICS_CODES } from './user-rules.ts'
import { maskNumber, USER_STATUSES } from './user-status.ts'
import type { Address as UserAddress } from './user-store.ts'
import type { UserHooks } from './user-types.ts'

const tag = 'Users'
const reading = { access: 'user', permission: 'read', tag } as const
const changing = { access: 'user', permission: 'accounts', tag } as const

const counter = Type.Integer({ minimum: 1, maximum: 100_000_000 })

const addressPart = (minLength: number, maxLength: number) => Type.Optional(nullable(text(minLength, maxLength)))

/** An address in a profile change. Omitted fields are unchanged. */
const ChangedAddress = named('AddressChanges', {
  line_1: addressPart(1, 64),
  line_2: addressPart(0, 64),
  city: addressPart(1, 30),
  state: addressPart(1, 30),
  zip: addressPart(5, 10),
  country: addressPart(2, 64),
})

const Profile = closed(
  {
    user: Type.Optional(
      closed({
        first_name: Type.Optional(text(2, 80)),
        last_name: Type.Optional(text(2, 80)),
        business_name: Type.Optional(text(2, 180)),
        dob: Type.Optional(calendarDate),
        phone: Type.Optional(text(1, 40)),
        ssn: Type.Optional(Type.String({ pattern: '^(\\d{4}|\\d{9})$', description: '4 or 9 digits' })),
        check_number: Type.Optional(counter),
        invoice_number: Type.Optional(counter),
      }),
    ),
    merchant: Type.Optional(
      closed({
        address: Type.Optional(ChangedAddress),
        principal_address: Type.Optional(ChangedAddress),
        incorporation_date: Type.Optional(calendarDate),
        industry: Type.Optional(
          Type.Unsafe<number>({ type: 'integer', enum: [...NAICS_CODES], description: 'A NAICS code' }),
        ),
        legal_firstname: Type.Optional(text(1, 64)),
        legal_lastname: Type.Optional(text(1, 64)),
        principal_citizenship_status: Type.Optional(oneOf(['us_citizen', 'resident', 'non_resident'])),
        principal_occupation: Type.Optional(text(1, 40)),
        tax_id: Type.Optional(Type.String({ pattern: '^\\d{9}$', description: '9 digits' })),
        website: Type.Optional(text(1, 100)),
      }),
    ),
    bank: Type.Optional(closed({ billing: Type.Optional(id), default: Type.Optional(id) })),
    brand: Type.Optional(
      closed({
        footer: Type.Optional(nullable(text(0, 1_024))),
        logo: Type.Optional(text(0, 524_288)),
        reply_to: Type.Optional(
          Type.Union([email, text(0, 0)], { description: 'an email address, or an empty text for none' }),
        ),
        slogan: Type.Optional(nullable(text(0, 180))),
      }),
    ),
    developer: Type.Optional(closed({ webhook_uri: Type.Optional(nullable(text(1, 256))) })),
    payment: Type.Optional(
      closed({
        expiration: Type.Optional(Type.Integer({ minimum: 10, maximum: 180 })),
        dual_control: Type.Optional(
          Type.Boolean({ description: 'Whether payments need the release of a second person' }),
        ),
      }),
    ),
  },
  {
    'x-refused': {
      'user.password': 'is not supported. Users authenticate with API keys, and owners sign in on the sign-in page',
      'brand.button': 'is not supported because the look of pages cannot be changed',
      'brand.check': 'is not supported because the look of checks cannot be changed',
    },
  },
)

const optionalText = nullable(Type.String())
const AnsweredUser = named('Profile', {
  user: named('User', {
    id: Type.String(),
    first_name: optionalText,
    last_name: optionalText,
    business_name: optionalText,
    dob: optionalText,
    phone: optionalText,
    ssn: nullable(Type.String({ description: 'Masked except for the last four digits' })),
    check_number: Type.Integer({ description: 'The next check number' }),
    invoice_number: Type.Integer({ description: 'The next invoice number' }),
    status: oneOf(USER_STATUSES),
  }),
  merchant: named('Merchant', {
    address: optionalAddress,
    principal_address: optionalAddress,
    incorporation_date: optionalText,
    industry: nullable(Type.String({ description: 'A NAICS code' })),
    legal_firstname: optionalText,
    legal_lastname: optionalText,
    principal_citizenship_status: optionalText,
    principal_occupation: optionalText,
    tax_id: nullable(Type.String({ description: 'Masked except for the last four digits' })),
    website: optionalText,
  }),
  brand: named('Brand', {
    footer: optionalText,
    logo: Type.Optional(Type.String({ description: 'The URL of the logo; omitted if there is none' })),
    reply_to: optionalText,
    slogan: optionalText,
  }),
})

const SignatureImage = closed({
  signature: Type.String({ minLength: 1, description: 'a PNG or JPEG image in base64' }),
})

export const profileRoutes = (hooks: UserHooks): Route[] => [
  get(
    '/v3/user',
    {
      ...reading,
      operationId: 'getProfile',
      summary: 'Retrieve your profile',
      description:
        'Returns the profile of the user whose API key you send. Unset fields are null. The SSN and tax ID are masked.',
      errors: ['user_not_found'],
      answer: AnsweredUser,
    },
    async (deps, { caller }) => profileAnswer(await getUser(deps, caller)),
  ),

  put(
    '/v3/user',
    {
      ...changing,
      operationId: 'updateProfile',
      isRepeatable: true,
      summary: 'Update your profile',
      description:
        'Changes the fields that you send and leaves the others unchanged. You can change single fields of an address. `developer.webhook_uri` sets the URL for this user’s webhooks. An UNVERIFIED user becomes PENDING once the profile is complete enough. With `payment.dual_control`, payments are prepared with `/v3/approval` and released by a second person.',
      errors: ['user_not_found', 'bank_not_found', 'second_person_needed'],
      body: Profile,
      answer: nothing,
    },
    async (deps, { caller, body }) => {
      const dualControl = body.payment?.dual_control
      if (dualControl !== undefined) requirePermission('policy', caller)
      if (dualControl === false) await hooks.requireMayEndDualControl(deps, caller)
      // Only these changes of a profile need a recent confirmation.
      if (body.bank || dualControl !== undefined) requireRecentProof(caller, deps.realClock.now())
      await updateProfile(deps, caller, profileChanges(body))
      if (dualControl === false) await hooks.dropProposal(deps, caller)
      if (body.bank) await hooks.chooseBanks(deps, caller, body.bank)
      const webhookUri = body.developer?.webhook_uri
      if (webhookUri !== undefined) await changeWebhookUri(deps, caller, webhookUri)
    },
  ),

  get(
    '/v3/user/:id',
    {
      ...reading,
      operationId: 'getUser',
      summary: 'Retrieve the profile of a user',
      description:
        'Returns the profile of any user of your platform. A user’s own key can retrieve only its own profile.',
      errors: ['user_not_found'],
      params: idParams,
      answer: AnsweredUser,
    },
    async (deps, { caller, params }) => profileAnswer(await getUser(deps, visibleUser(caller, params.id))),
  ),

  signatureRoute,
]

/** This route runs outside of a transaction, because the image waits in a queue. */
const signatureRoute: Route = post(
  '/v3/user/signature',
  {
    ...changing,
    needsStepUp: true,
    transaction: 'beforeAnswer',
    operationId: 'setSignature',
    summary: 'Store a signature',
    description:
      'Stores the signature that is drawn on checks. It replaces the previous one. In production, payments above $2,000 require a stored signature.',
    errors: ['invalid_signature_image', 'overloaded', 'rate_limited'],
    body: SignatureImage,
    status: 201,
    answer: nothing,
  },
  async (deps, { caller, body }) => storeSignature(deps, caller, body.signature),
)

function profileChanges({ user = {}, merchant, brand, payment = {} }: Static<typeof Profile>): ProfileChanges {
  const { tax_id: taxId, industry, ...rest } = merchant ?? {}
  return {
    firstName: user.first_name,
    lastName: user.last_name,
    businessName: user.business_name,
    dob: user.dob,
    phone: user.phone,
    ssn: user.ssn,
    taxId,
    merchant: merchant && { ...rest, ...(industry !== undefined && { industry: String(industry) }) },
    brand,
    expirationDays: payment.expiration,
    dualControl: payment.dual_control,
    nextCheckNumber: user.check_number,
    nextInvoiceNumber: user.invoice_number,
  }
}

const profileAnswer = (user: User): Static<typeof AnsweredUser> => ({
  user: {
    id: user.id,
    first_name: user.firstName,
    last_name: user.lastName,
    business_name: user.businessName,
    dob: user.dob,
    phone: user.phone,
    ssn: user.ssn && maskNumber(user.ssn),
    check_number: user.nextCheckNumber,
    invoice_number: user.nextInvoiceNumber,
    status: user.status,
  },
  merchant: {
    address: addressAnswer(user.merchant.address),
    principal_address: addressAnswer(user.merchant.principal_address),
    incorporation_date: user.merchant.incorporation_date ?? null,
    industry: user.merchant.industry ?? null,
    legal_firstname: user.merchant.legal_firstname ?? null,
    legal_lastname: user.merchant.legal_lastname ?? null,
    principal_citizenship_status: user.merchant.principal_citizenship_status ?? null,
    principal_occupation: user.merchant.principal_occupation ?? null,
    tax_id: user.taxId && maskNumber(user.taxId),
    website: user.merchant.website ?? null,
  },
  brand: {
    footer: user.brand.footer ?? null,
    ...(user.brand.logo && { logo: user.brand.logo }),
    reply_to: user.brand.reply_to || null,
    slogan: user.brand.slogan ?? null,
  },
})

const addressAnswer = (address: UserAddress = {}): Static<typeof optionalAddress> => ({
  line_1: address.line_1 ?? null,
  line_2: address.line_2 ?? null,
  city: address.city ?? null,
  state: address.state ?? null,
  zip: address.zip ?? null,
  country: address.country ?? null,
})
