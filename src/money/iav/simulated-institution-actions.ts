import type { InstitutionNetwork } from './institution-rules.ts'
import {
  formOfState,
  outcomeOfAnswer,
  outcomeOfLogin,
  outcomeOfToken,
  simulatedList,
} from './simulated-institution-rules.ts'

/** Simulates institutions within this process. */
export const simulatedInstitutions: InstitutionNetwork = {
  listInstitutions: async () => simulatedList,
  logIn: async (institution, values) => outcomeOfLogin(institution, values),
  answerChallenge: async (state, values) => outcomeOfAnswer(state, values),
  challengeForm: formOfState,
  readProcessorToken: async (token) => outcomeOfToken(token),
}
