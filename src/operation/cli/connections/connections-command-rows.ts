import { Option } from 'commander'
import type { CommandFlags, CommandGroupRow } from '../command-flags.ts'

const onFile = (name: 'schema' | 'init' | 'check') => async (flags: CommandFlags, names: string[]) =>
  (await import('./connections-commands.ts')).fileCommands[name](flags, names.slice(1))

const list = async (flags: CommandFlags) => {
  const { listCommand } = await import('./connections-list.ts')
  return (await import('../on-database.ts')).onDatabase(flags, listCommand(flags))
}

const orders = async (flags: CommandFlags, names: string[]) => {
  const { ordersCommand } = await import('./connections-orders.ts')
  return (await import('../on-database.ts')).onDatabase(flags, ordersCommand(flags, names))
}

const test = async (flags: CommandFlags, names: string[]) =>
  (await import('./connections-test.ts')).runTest(flags, names)
const reload = async (flags: CommandFlags) => (await import('./connections-reload.ts')).runReload(flags)

/** Returns the rows of `remit connections …`. */
export const connectionsRow = ({ json, environment }: Record<'json' | 'environment', Option>): CommandGroupRow => ({
  name: 'connections',
  does: 'Set up and test the connections to your banks',
  default: 'list',
  commands: [
    { name: 'list', does: 'List the connections and their state', options: [json, environment], run: list },
    {
      name: 'init',
      args: '[file]',
      does: 'Write an example of connections.json',
      examples: ['remit connections init /etc/remit/connections.json'],
      run: onFile('init'),
    },
    { name: 'check', args: '[file]', does: 'List every fault of connections.json', run: onFile('check') },
    {
      name: 'test',
      args: '<id>',
      does: 'Connect to a bank, or check an adapter',
      options: [new Option('--write', 'also write a file and remove it')],
      examples: ['remit connections test first --write'],
      run: test,
    },
    {
      name: 'orders',
      args: '[id]',
      does: 'List the orders at processors that have not ended',
      options: [json, environment, new Option('--all', 'also those that have ended, newest first')],
      examples: ['remit connections orders cards --all'],
      run: orders,
    },
    { name: 'reload', does: 'Let the running service read connections.json again', run: reload },
    { name: 'schema', does: 'Print the JSON Schema of connections.json', run: onFile('schema') },
  ],
})
