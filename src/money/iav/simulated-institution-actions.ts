import type { InstitutionNetwork } from './institution-rules.ts'
import {
  challengeFormOfState,
  simulateAnswer,
  simulatedInstitutionList,
  simulateLogin,
  simulateToken,
} from './simulated-institution-rules.ts'

/** Simulates institutions within this process. */
export const simulatedInstitutions: InstitutionNetwork = {
  listInstitutions: async () => simulatedInstitutionList,
  logIn: async (institution, values) => simulateLogin(institution, values),
  answerChallenge: async (state, values) => simulateAnswer(state, values),
  challengeForm: challengeFormOfState,
  readProcessorToken: async (token) => simulateToken(token),
}
