import { type Actor, recordAudit } from '../../foundation/audit/audit-actions.ts'
import type { EnvironmentSettings } from '../../foundation/core/environment.ts'
import { ApiError, fieldError } from '../../foundation/core/errors.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { lockCaller } from '../../people/user/user-lock-actions.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import { confirmAccounts, forgetConfirmedAccounts } from '../bank/confirmed-account-actions.ts'
import {
  countInstitutionTry,
  deleteInstitutionLogin,
  deleteInstitutionLoginsOfUser,
  findInstitutionLogin,
  type InstitutionLoginRow,
  insertInstitutionLogin,
} from './iav-store.ts'
import {
  type FormField,
  type FormValues,
  type Institution,
  type InstitutionAccount,
  type InstitutionNetwork,
  type InstitutionOutcome,
  requireFilledForm,
} from './institution-rules.ts'
import { simulatedInstitutions } from './simulated-institution-actions.ts'

/** A user who confirms its own accounts. */
type Person = UserKey & Actor

const MAX_TRIES = 3
const MINUTES_TO_ANSWER = 10

const networks: Record<NonNullable<EnvironmentSettings['institutionNetwork']>, InstitutionNetwork> = {
  simulated: simulatedInstitutions,
}

/** Returns the connection to institutions. @throws ApiError not_configured */
function networkOf({ settings }: Pick<Deps, 'settings'>): InstitutionNetwork {
  if (settings.institutionNetwork === null) throw new ApiError('not_configured')
  return networks[settings.institutionNetwork]
}

/** Lists the institutions. @throws ApiError not_configured */
export const getInstitutions = async (deps: Pick<Deps, 'settings'>): Promise<readonly Institution[]> =>
  networkOf(deps).listInstitutions()

/** The confirmed accounts, or the challenge that the user must answer first. */
export type IavResult = {
  accounts: readonly InstitutionAccount[]
  challenge: { id: string; form: readonly FormField[] } | null
}

/**
 * Signs in at an institution. The values are passed on and not stored.
 *
 * @throws ApiError not_configured, institution_not_found, invalid_request, institution_login_refused, institution_login_locked,
 * institution_unavailable
 */
export async function logInAtInstitution(
  deps: Deps,
  caller: Person,
  { institutionId, values }: { institutionId: string; values: FormValues },
): Promise<IavResult> {
  const network = networkOf(deps)
  const institution = (await network.listInstitutions()).find(({ id }) => id === institutionId)
  if (!institution) throw new ApiError('institution_not_found', { fields: { institution_id: ['does not exist'] } })
  const outcome = await network.logIn(institution, requireFilledForm(institution.loginForm, values))
  return follow(deps, caller, { outcome, institutionId })
}

/**
 * Answers the challenge of a login. @throws ApiError not_configured, challenge_not_found, invalid_request,
 * institution_login_refused, institution_login_locked, institution_unavailable
 */
export async function answerChallenge(
  deps: Deps,
  caller: Person,
  { challengeId, values }: { challengeId: string; values: FormValues },
): Promise<IavResult> {
  const network = networkOf(deps)
  const find = () => findInstitutionLogin(deps.sql, { ...caller, id: challengeId }, deps.realClock.now())
  const login = await find()
  if (!login) throw challengeNotFound()
  const state = deps.keyRing.openText(login.stateSealed, 'institution login')
  requireFilledForm(network.challengeForm(state), values)
  const tries = await inTransaction(deps, (tx) => countInstitutionTry(tx.sql, login, MAX_TRIES))
  // The try was not counted, because there were too many, or because another answer has ended the login.
  if (tries === null) throw (await find()) ? new ApiError('institution_login_locked') : challengeNotFound()
  const outcome = await network.answerChallenge(state, values)
  const isLast = outcome.kind === 'refused' && tries >= MAX_TRIES
  return follow(deps, caller, { outcome: isLast ? { kind: 'locked' } : outcome, ...login, login })
}

const challengeNotFound = () =>
  new ApiError('challenge_not_found', { fields: { mfa_id: ['does not exist, was answered, or has expired'] } })

/**
 * Reads the account that a processor token belongs to.
 *
 * @throws ApiError not_configured, invalid_processor_token, institution_login_locked, institution_unavailable
 */
export async function readProcessorToken(deps: Deps, caller: Person, token: string): Promise<IavResult> {
  const outcome = await networkOf(deps).readProcessorToken(token)
  if (outcome.kind === 'refused') {
    throw new ApiError('invalid_processor_token', { fields: { processor_token: ['is unknown or has expired'] } })
  }
  return follow(deps, caller, { outcome, institutionId: null })
}

type Followed = { outcome: InstitutionOutcome; institutionId: string | null; login?: InstitutionLoginRow }

async function follow(deps: Deps, caller: Person, { outcome, institutionId, login }: Followed): Promise<IavResult> {
  switch (outcome.kind) {
    case 'refused':
      throw fieldError(
        'institution_login_refused',
        outcome.field,
        'was refused by the bank. Check your sign-in details',
      )
    case 'locked':
      if (login) await inTransaction(deps, (tx) => deleteInstitutionLogin(tx.sql, login))
      throw new ApiError('institution_login_locked')
    case 'unavailable':
      throw new ApiError('institution_unavailable')
    default:
      return inTransaction(deps, async (tx) => {
        await lockCaller(tx, caller)
        if (login && !(await deleteInstitutionLogin(tx.sql, login))) throw challengeNotFound()
        return outcome.kind === 'challenge'
          ? startChallenge(tx, caller, { outcome, institutionId: institutionId as string })
          : keepAccounts(tx, caller, { outcome, institutionId })
      })
  }
}

async function startChallenge(
  deps: TxDeps,
  { platformId, userId }: Person,
  { outcome, institutionId }: { outcome: InstitutionOutcome & { kind: 'challenge' }; institutionId: string },
): Promise<IavResult> {
  const { form, state } = outcome
  const expiresAt = new Date(deps.realClock.now().getTime() + MINUTES_TO_ANSWER * 60_000)
  const id = newId(deps)
  const stateSealed = deps.keyRing.seal(state, 'institution login')
  await insertInstitutionLogin(deps.sql, { platformId, userId, id, institutionId, stateSealed, expiresAt })
  return { accounts: [], challenge: { id, form } }
}

async function keepAccounts(
  deps: TxDeps,
  caller: Person,
  { outcome, institutionId }: { outcome: InstitutionOutcome & { kind: 'accounts' }; institutionId: string | null },
): Promise<IavResult> {
  await confirmAccounts(deps, caller, outcome.accounts)
  await recordAudit(deps, caller, 'accounts_confirmed', institutionId ?? 'processor token')
  return { accounts: outcome.accounts, challenge: null }
}

/** Deletes the confirmations of institutions for a user. */
export async function forgetConfirmations(deps: TxDeps, user: UserKey): Promise<void> {
  await deleteInstitutionLoginsOfUser(deps.sql, user)
  await forgetConfirmedAccounts(deps, user)
}
