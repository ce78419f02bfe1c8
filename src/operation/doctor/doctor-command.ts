import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { type Flags, readConfig } from '../app/config.ts'
import { exitCodeOf, type Finding, failure } from './finding-rules.ts'

type DoctorFlags = Flags & { json?: boolean | undefined }

/** Runs `remit doctor`. @returns 0 if all checks are good, 1 with a warning, 2 with a failure */
export async function runDoctor(flags: DoctorFlags): Promise<number> {
  const findings = await findingsOf(flags)
  if (flags.json) console.log(JSON.stringify({ findings }, null, 2))
  else for (const line of findings.flatMap(linesOf)) console.log(line)
  return exitCodeOf(findings)
}

async function findingsOf(flags: DoctorFlags): Promise<Finding[]> {
  try {
    const config = readConfig(flags)
    const { examine } = await import('./doctor.ts')
    return await examine(config)
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error
    return [
      { id: 'settings.valid', environment: null, ...failure(error.message, 'See .env.example for all settings.') },
    ]
  }
}

const MARKS = { ok: 'ok     ', warning: 'WARNING', failure: 'FAILURE' }

const linesOf = ({ id, environment, status, found, remedy }: Finding): string[] => [
  `${MARKS[status]} ${environment ? `${environment} ` : ''}${id}: ${found}`,
  ...(remedy ? [`        ${remedy}`] : []),
]
