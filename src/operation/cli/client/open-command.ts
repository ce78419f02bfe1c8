import { spawn } from 'node:child_process'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import type { CommandFlags } from '../command-flags.ts'
import { EXIT } from './api-command.ts'
import { findConnection } from './connection.ts'
import { isTerminal } from './list-printer.ts'

/** The pages that can be opened by name. */
const pages: Readonly<Record<string, string>> = {
  home: '/',
  payments: '/payments',
  send: '/send',
  users: '/users',
  accounts: '/accounts',
  approvals: '/approvals',
  invoices: '/invoices',
  requests: '/settings/requests',
  webhooks: '/settings/webhooks',
  events: '/settings/events',
  developer: '/settings/developer',
  audit: '/settings/audit',
  mail: '/mail',
  docs: '/docs',
}

export const PAGE_NAMES = Object.keys(pages)

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Prints the address of a page and, on a terminal, opens it in the browser. @throws StartProblem */
export async function runOpen(flags: CommandFlags, [page = 'home']: string[]): Promise<number> {
  if (!Object.hasOwn(pages, page))
    throw new StartProblem(`There is no page "${page}". Pages: ${PAGE_NAMES.join(', ')}.`)
  const { baseUrl } = await findConnection(flags)
  const url = `${baseUrl}${pages[page]}`
  console.log(url)
  if (isTerminal()) openBrowser(url)
  return EXIT.done
}

/** Opens a URL in the browser. On a machine without a browser, the printed address must do. */
function openBrowser(url: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
