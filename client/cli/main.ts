#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { api, fieldsOf, operations } from './api.ts';
import { chat } from './chat.ts';
import { type Command, type Input, type Option, sharedOptions } from './command.ts';
import { completionOf } from './completion.ts';
import { exitCodeOf, exitCodes, UsageError } from './exit-codes.ts';
import { download, upload } from './files.ts';
import { approve, cancel, job, jobs, revise, usage } from './jobs.ts';
import { login, logout, whoami } from './login.ts';
import { mcp } from './mcp.ts';
import { catalog, check, create, preflight } from './orders.ts';
import { bold, print, showError } from './terminal.ts';
import { watch } from './watch.ts';

const commands: Command[] = [
  ...[login, logout, whoami, catalog, check, preflight, create, jobs, job, watch, approve, revise, cancel],
  ...[upload, download, usage, chat, api, mcp],
];
const optionsOf = (command: Command): Record<string, Option> => ({ ...command.options, ...sharedOptions });
commands.push(completionOf(commands, (command) => Object.keys(optionsOf(command))));

const codes = 'Exit codes: 0 done, 1 not done, 2 misused, 3 not allowed, 4 not found, 5 wrong state, 6 plan, quota or rate, 7 unreachable.';

function showHelp(): void {
  print(`${bold('atelier')}: order work and follow it, from the terminal\n\nUsage: atelier <command> [options]\n`);
  for (const { name, args = '', summary } of commands) print(`  ${`${name} ${args}`.padEnd(24)} ${summary}`);
  print(`\nStart with: atelier login\nHelp for a command: atelier <command> --help\n\n${codes}`);
}

function showCommandHelp(command: Command): void {
  const { name, args, summary, examples } = command;
  print(`Usage: atelier ${[name, args, '[options]'].filter(Boolean).join(' ')}\n\n${summary}\n`);
  for (const [option, { value = '', short, description }] of Object.entries(optionsOf(command)))
    print(`  ${`${short ? `-${short}, ` : ''}--${option} ${value}`.padEnd(28)} ${description}`);
  print(`\nExamples:\n${examples.map((example) => `  ${example}`).join('\n')}`);
}

/** The options of a command for `parseArgs`; `api` takes the fields of its operation as well. */
function optionsToParse(command: Command, args: string[]) {
  const call = command === api ? operations().find(({ operationId }) => args.includes(operationId)) : undefined;
  const fields = call ? fieldsOf(call).map((name): [string, Option] => [name, { value: 'VALUE', description: '' }]) : [];
  return Object.fromEntries(
    [...fields, ...Object.entries(optionsOf(command))].map(([name, { value, short, multiple = false }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple, ...(short ? { short } : {}) },
    ]),
  );
}

function read(command: Command, args: string[]): Input & { help: boolean } {
  let parsed;
  try {
    parsed = parseArgs({ args, options: optionsToParse(command, args), allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), `See: atelier ${command.name} --help`);
  }
  const values = parsed.values as Record<string, string | boolean | (string | boolean)[] | undefined>;
  const texts = (name: string) => [values[name] ?? []].flat().filter((value) => typeof value === 'string');
  return {
    args: parsed.positionals,
    text: (name) => texts(name).at(-1),
    texts,
    flag: (name) => values[name] === true,
    json: values['json'] === true,
    help: values['help'] === true,
    connection: { url: texts('url').at(-1), profile: texts('profile').at(-1) ?? process.env['ATELIER_PROFILE'] ?? 'default' },
  };
}

async function run([name, ...args]: string[]): Promise<number> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    showHelp();
    return name === undefined ? exitCodes.misused : exitCodes.done;
  }
  const command = commands.find((one) => one.name === name);
  if (!command) throw new UsageError(`There is no command ${name}.`);
  const input = read(command, args);
  if (input.help) {
    showCommandHelp(command);
    return exitCodes.done;
  }
  return (await command.run(input)) ?? exitCodes.done;
}

// A reader that went away, as `| head` does, ends the output and not with an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
const args = process.argv.slice(2);
try {
  process.exitCode = await run(args);
} catch (error) {
  showError(error, args.includes('--json'));
  process.exitCode = exitCodeOf(error);
}
