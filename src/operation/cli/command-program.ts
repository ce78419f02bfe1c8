import { styleText } from 'node:util'
import tab from '@bomb.sh/tab/commander'
import { type Argument, Command, type HelpConfiguration } from 'commander'
import { VERSION } from '../app/version.ts'
import type { CommandFlags, CommandGroupRow, CommandRow } from './command-flags.ts'
import { commandTable, globalOptions } from './command-table.ts'

/** Parses the command line and runs its command. @returns the exit code @throws CommanderError, also after it printed help */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  let exitCode = 0
  const program = createProgram((code) => {
    exitCode = code
  })
  await program.parseAsync(withHelpOption(args), { from: 'user' })
  return exitCode
}

/** Rewrites `remit help user limits` as `remit user limits --help`. Without a command, `remit` prints help. */
function withHelpOption(args: readonly string[]): string[] {
  if (args.length === 0) return ['--help']
  return args[0] === 'help' ? [...args.slice(1), '--help'] : [...args]
}

type Finish = (exitCode: number) => void

function createProgram(finish: Finish): Command {
  const program = new Command('remit')
  program
    .description(`Remit ${VERSION}: a self-hosted payments service`)
    .usage('<command> [options]')
    .version(VERSION, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show help for a command')
    .helpCommand(false)
    .exitOverride()
    .showHelpAfterError('Run remit --help for a list of commands.')
    .configureOutput({ writeOut: (text) => console.log(text.trimEnd()), writeErr: printError })
    .configureHelp({ ...helpStyle, showGlobalOptions: true })
    .addHelpText('beforeAll', ({ command }) => refuseUnknownWord(command))
  for (const option of globalOptions) program.addOption(option)
  for (const [heading, rows] of Object.entries(commandTable)) {
    program.commandsGroup(`${heading}:`)
    for (const row of rows) 'commands' in row ? addGroup(program, row, finish) : addCommand(program, row, finish)
  }
  program.commandsGroup('Help:')
  program
    .command('help')
    .argument('[command...]')
    .description('Show help for a command')
    .action(() => program.help())
  tab(program)
  program.command('version', { hidden: true }).action(() => console.log(VERSION))
  program.addHelpText('after', '\nRun remit COMMAND --help for details. See .env.example for all settings.')
  return program
}

const helpStyle: HelpConfiguration = {
  styleTitle: (title) => styleText('bold', title),
  subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map(termOf)].join(' '),
}

const termOf = (argument: Argument): string => (argument.required ? `<${argument.name()}>` : `[${argument.name()}]`)

/** Refuses an unknown command with `--help`, such as `remit strat --help`. Without this, commander would show the general help. */
function refuseUnknownWord(command: Command): string {
  const [word = '-'] = command.args
  if (command.commands.length > 0 && !word.startsWith('-')) refuse(command, word)
  return ''
}

function refuse(command: Command, word: string): never {
  const isKnown = command.commands.some((one) => one.name() === word)
  return command.error(`error: ${isKnown ? `'${word}' must come before its options` : `unknown command '${word}'`}`)
}

/** Prints an error, which commander passes in parts: the message, then a hint. */
function printError(text: string): void {
  console.error(text.trimEnd())
}

function addGroup(program: Command, row: CommandGroupRow, finish: Finish): void {
  const group = program.command(row.name).description(row.does).usage('<command> [options]').helpCommand(false)
  group.showHelpAfterError(`Run remit ${row.name} --help for a list of commands.`)
  for (const one of row.commands) addCommand(group, one, finish, { isDefault: one.name === row.default })
  group.configureHelp({ ...helpStyle, showGlobalOptions: false })
}

function addCommand(parent: Command, row: CommandRow, finish: Finish, { isDefault = false } = {}): void {
  const { name, args, does, options = [], examples = [], run } = row
  const path = parent.parent ? [parent.name(), name] : [name]
  const command = parent.command(name, { isDefault }).description(does)
  if (args) command.arguments(args)
  for (const option of options) command.addOption(option)
  const shown = examples.map((line) => `\n  ${line}`).join('')
  if (shown) command.addHelpText('after', `\n${styleText('bold', 'Examples:')}${shown}`)
  command.showHelpAfterError(`Run remit ${path.join(' ')} --help for its options.`).allowExcessArguments(isDefault)
  command.action(async () => {
    // An unknown word after a group arrives here as an argument of the group's default command.
    const [word] = command.args
    if (isDefault && word !== undefined) refuse(parent, word)
    finish(await run(command.optsWithGlobals<CommandFlags>(), [...path.slice(1), ...command.args]))
  })
}
