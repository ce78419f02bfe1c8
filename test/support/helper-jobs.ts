import { answerJobs } from '../../src/foundation/core/helper-process.ts'

// A helper process with jobs for the tests (core/helper-process.test.ts).

answerJobs({
  echo: async (given: unknown) => given,
  pid: async () => process.pid,
  environment: async () => Object.keys(process.env),
  fail: async () => {
    throw new Error('failed')
  },
  hang: async () => {
    for (;;);
  },
})
