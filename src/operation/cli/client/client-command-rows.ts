import type { CommandGroupRow, CommandRow, Run } from '../command-flags.ts'
import { connectionOptions, json, option, repeatable } from '../command-options.ts'
import { type ResourceName, resourceTable } from './resource-table.ts'

const login: Run = async (flags) => (await import('./login-command.ts')).runLogin(flags)
const profiles: Run = async (flags, names) => (await import('./login-command.ts')).runProfiles(flags, names)
const resource =
  (name: ResourceName): Run =>
  async (flags, names) =>
    (await import('./resource-commands.ts')).runResource(name, flags, names)
const logsTail: Run = async (flags) => (await import('./logs-command.ts')).runLogsTail(flags)
const webhooks: Run = async (flags, names) => (await import('./webhook-commands.ts')).runWebhooks(flags, names)
const clock: Run = async (flags, names) => (await import('./clock-commands.ts')).runClock(flags, names)
const openPage: Run = async (flags, names) => (await import('./open-command.ts')).runOpen(flags, names)

/** Returns the row of a command that sends one request. */
const request = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', does: string, examples: string[]): CommandRow => ({
  name: method.toLowerCase(),
  args: '<path>',
  does,
  options: [
    repeatable('--query <name=value>', 'a parameter of the query'),
    ...(method === 'POST' || method === 'PUT'
      ? [
          option('--data <json>', 'the body: JSON, @FILE, or - for standard input'),
          repeatable('--field <name=value>', 'a field of the body: name=TEXT or name:=JSON'),
        ]
      : []),
    ...(method === 'POST' ? [option('--idempotency-key <key>', 'the key (default: a random one)')] : []),
    option('--output <file>', 'write the answer into a file'),
    ...connectionOptions,
  ],
  examples,
  run: async (flags, names) => (await import('./request-commands.ts')).runRequest(method, flags, names),
})

/** Returns the rows of a noun with the commands `list` and `get`. */
const noun = (name: ResourceName, does: string, examples: string[]): CommandGroupRow => ({
  name,
  does,
  commands: [
    {
      name: 'list',
      does: `List ${name}, newest first`,
      options: [
        ...resourceTable[name].filters.map((filter) => filter.option),
        option('--columns <names>', `the columns (default: ${resourceTable[name].columns.join(',')})`),
        option('--limit <n>', 'at most this many (default: 25)'),
        option('--all', 'all of them'),
        json,
        ...connectionOptions,
      ],
      examples,
      run: resource(name),
    },
    {
      name: 'get',
      args: '<id>',
      does: 'Show one of them with all its fields',
      options: [json, ...connectionOptions],
      run: resource(name),
    },
  ],
})

const profileName = (name: string, does: string): CommandRow => ({ name, args: '<name>', does, run: profiles })

/** The commands that call a running service on this or another machine. */
export const clientCommands: readonly (CommandRow | CommandGroupRow)[] = [
  {
    name: 'login',
    does: 'Remember a service and an API key as a profile',
    options: connectionOptions,
    examples: [
      'remit login --base-url https://payments.example.com',
      'echo "$KEY:$SECRET" | remit login --profile staging',
    ],
    run: login,
  },
  {
    name: 'profiles',
    does: 'List, choose and remove profiles',
    default: 'list',
    commands: [
      { name: 'list', does: 'List the profiles, without secrets', options: [json], run: profiles },
      profileName('use', 'Use a profile from now on'),
      profileName('remove', 'Forget a profile'),
    ],
  },
  request('GET', 'Send a GET request', ["remit get '/v3/check?status=PAID'"]),
  request('POST', 'Send a POST request', [
    'remit post /v3/check/digital --field name=Bob --field recipient=bob@example.com --field amount:=12.5',
  ]),
  request('PUT', 'Send a PUT request', ['remit put /v3/check/webhook/ID --data \'{"status": "PAID"}\'']),
  request('DELETE', 'Send a DELETE request', ['remit delete /v3/check/ID']),
  noun('payments', 'List and show payments', [
    'remit payments list --status FAILED --columns id,amount,return_code',
    'remit payments list --all --json > payments.json',
  ]),
  noun('users', 'List and show users', ['remit users list --q alice']),
  noun('banks', 'List and show bank accounts', ['remit banks list']),
  noun('invoices', 'List and show invoices', ['remit invoices list --status UNPAID']),
  noun('events', 'List and show webhook events', ['remit events list --type CHECK']),
  {
    name: 'logs',
    does: 'Follow the requests of your platform',
    commands: [
      {
        name: 'tail',
        does: 'Print requests as they come',
        options: [
          option('--lines <n>', 'begin with the last N requests (default: 10)'),
          option('--status <status>', 'only this status or class: 404, 4xx, 5xx'),
          option('--path <path>', 'only paths that begin with this text'),
          json,
          ...connectionOptions,
        ],
        examples: ['remit logs tail --status 4xx'],
        run: logsTail,
      },
    ],
  },
  {
    name: 'webhooks',
    does: 'Resend webhooks',
    commands: [
      {
        name: 'resend',
        args: '[event]',
        does: 'Send an event again, or all that failed',
        options: [
          option('--endpoint <id>', 'only to this endpoint'),
          option('--since <time>', 'all that failed since: YYYY-MM-DD [HH:MM:SS], UTC'),
          json,
          ...connectionOptions,
        ],
        examples: ['remit webhooks resend EVENT', 'remit webhooks resend --since 2026-11-28'],
        run: webhooks,
      },
    ],
  },
  {
    name: 'clock',
    does: 'Show and advance the clock of the sandbox',
    default: 'show',
    commands: [
      { name: 'show', does: 'Show the time of your platform', options: [json, ...connectionOptions], run: clock },
      {
        name: 'advance',
        args: '<duration>',
        does: 'Advance it and wait until due work is done',
        options: [json, ...connectionOptions],
        examples: ['remit clock advance 7d', 'remit clock advance next_banking_day'],
        run: clock,
      },
    ],
  },
  {
    name: 'open',
    args: '[page]',
    does: 'Open a page of the dashboard in the browser',
    options: connectionOptions,
    examples: ['remit open payments'],
    run: openPage,
  },
]
