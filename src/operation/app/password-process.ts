import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary as commonWords } from '@zxcvbn-ts/language-common'
import { dictionary as englishWords, translations } from '@zxcvbn-ts/language-en'
import { answerJobs } from '../../foundation/core/helper-process.ts'
import type { PasswordStrength } from '../../people/auth/login/password-rules.ts'

// Runs as a separate process, which scores new passwords for the service (auth/login/password-actions.ts).

const zxcvbn = new ZxcvbnFactory({
  dictionary: { ...commonWords, ...englishWords },
  graphs: adjacencyGraphs,
  translations,
})

answerJobs({
  judge: async ({ password, words }: { password: string; words: string[] }): Promise<PasswordStrength> => {
    const { score, feedback } = zxcvbn.check(password, words)
    return { score, hint: feedback.warning ?? feedback.suggestions[0] ?? null }
  },
})
