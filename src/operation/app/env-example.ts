import { fileSetting, type SettingsTable } from './settings-reader.ts'
import {
  clientSettings,
  environmentSettings,
  environmentVariable,
  fileEnvironmentSettings,
  generalSettings,
} from './settings-table.ts'

/** Returns the text of `.env.example`. */
export function envExample(): string {
  const lines = (list: SettingsTable, nameOf: (key: string) => string) =>
    Object.entries(list).flatMap(([key, { desc, example }]) => [`# ${desc}`, `#${nameOf(key)}=${example}`, ''])
  return [
    '# Settings of Remit. All are optional.',
    '',
    `# A secret can be in a file, whose path is in NAME_FILE: ${fileSetting('DATABASE_URL')}, ${fileSetting('SMTP_URL')} and so on.`,
    '',
    ...lines(generalSettings, (key) => key),
    '# Settings of one environment. Replace SANDBOX with DEMO or PRODUCTION for the others.',
    '',
    ...lines(environmentSettings, (key) => environmentVariable('sandbox', key)),
    '# Settings of production, which sends money in files of banks. Required. See docs/banks.md.',
    '',
    ...lines(fileEnvironmentSettings, (key) => environmentVariable('production', key)),
    '# Settings of the commands that call a running service, such as remit get and remit listen.',
    '',
    ...lines(clientSettings, (key) => key),
  ]
    .join('\n')
    .replaceAll('ENVIRONMENT.example', 'sandbox.example')
    .replaceAll('remit_ENVIRONMENT', 'remit_sandbox')
    .trimEnd()
    .concat('\n')
}
