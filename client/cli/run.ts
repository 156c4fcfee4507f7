import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { Atelier } from '../atelier.ts';
import { AtelierError } from '../error.ts';
import { api } from './api.ts';
import { brand } from './brand.ts';
import { chat } from './chat.ts';
import { type Command, exitCodeOf, exitCodes, type Input, type Io, type Option, sharedOptions, UsageError } from './command.ts';
import { completionOf } from './completion.ts';
import { download, upload } from './files.ts';
import { cancel, job, jobs, usage } from './jobs.ts';
import { templates } from './templates.ts';
import { login, logout, whoami } from './login.ts';
import { mcp } from './mcp.ts';
import { catalog, check, create, preflight } from './orders.ts';
import { message, messages } from './messages.ts';
import { open } from './open.ts';
import { reviewLink } from './review-links.ts';
import { findConnection } from './profile.ts';
import { approve, revise } from './review.ts';
import { suggest } from './suggestion.ts';
import { bold, print, printTable } from './terminal.ts';
import { showError } from './show-error.ts';
import { update } from './update.ts';
import { watch } from './watch.ts';

const commands: Command[] = [
  ...[login, logout, whoami, catalog, check, preflight, templates, create, jobs, job, open, watch, messages, message, approve, revise, cancel],
  ...[update, upload, download, brand, reviewLink, usage, chat, api, mcp],
];
/** The field `url` of an operation must not set the address that gets the key. */
const optionsOf = ({ options = {} }: Command): Record<string, Option> => ({ ...options, ...sharedOptions, ...options });
commands.push(completionOf(commands, (command) => Object.keys(optionsOf(command))));

const codes = 'Exit codes: 0 done, 1 not done, 2 misused, 3 no key, or not allowed, 4 not found, 5 wrong state, 6 plan, quota or rate, 7 unreachable.';

function showHelp(io: Io): void {
  print(io, `${bold(io, 'atelier')}: order work and follow it, from the terminal\n\nUsage: atelier <command> [options]\n`);
  printTable(io, commands.map(({ name, args = '', summary }) => [`  ${name} ${args}`, summary]));
  print(io, `\nStart with: atelier login\nHelp for a command: atelier <command> --help\nVersion: atelier --version\n\n${codes}`);
}

function showCommandHelp(io: Io, command: Command): void {
  const { name, args, summary, examples } = command;
  print(io, `Usage: atelier ${[name, args, '[options]'].filter(Boolean).join(' ')}\n\n${summary}\n`);
  const rows = Object.entries(optionsOf(command)).map(([option, { value = '', short, description }]) => [
    `  ${short ? `-${short}, ` : ''}--${option} ${value}`,
    description,
  ]);
  printTable(io, rows);
  print(io, `\nExamples:\n${examples.map((example) => `  ${example}`).join('\n')}`);
}

function find([name, ...args]: string[]): { command: Command; args: string[] } {
  const command = commands.find((candidate) => candidate.name === name);
  if (!command) {
    const names = commands.map((candidate) => candidate.name);
    throw new UsageError(`There is no command ${name}.`, suggest(name ?? '', names, 'See: atelier --help'));
  }
  const below = command.commands?.().find((candidate) => candidate.name === `${name} ${args[0]}`);
  return below ? { command: below, args: args.slice(1) } : { command, args };
}

function read({ env }: Io, command: Command, args: string[]): Input & { help: boolean } {
  const options = Object.fromEntries(
    Object.entries(optionsOf(command)).map(([name, { value, short, multiple = false }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple, ...(short ? { short } : {}) },
    ]),
  );
  let parsed;
  try {
    parsed = parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), `See: atelier ${command.name} --help`);
  }
  const values = parsed.values as Record<string, string | boolean | (string | boolean)[] | undefined>;
  const texts = (name: string) => [values[name] ?? []].flat().filter((value) => typeof value === 'string');
  const shared = (name: string) => (name in (command.options ?? {}) ? undefined : texts(name).at(-1));
  return {
    args: parsed.positionals,
    text: (name) => texts(name).at(-1),
    texts,
    flag: (name) => values[name] === true,
    json: values['json'] === true,
    help: values['help'] === true,
    connection: { url: shared('url'), profile: shared('profile') ?? env['ATELIER_PROFILE'] ?? 'default', env },
  };
}

/** Unquoted text would be cut to its first word. */
function refuseSurplus({ args = '' }: Command, values: string[]): void {
  const surplus = values[args.split(' ').filter(Boolean).length];
  if (surplus === undefined || args.endsWith('…')) return;
  throw new UsageError(`${surplus} is one argument too many.`, 'Put words that belong together in quotes: "a darker green"');
}

/** Returns the exit code. */
export async function run(words: string[], io: Io): Promise<number> {
  try {
    return await start(words, io);
  } catch (error) {
    showError(io, error, words.includes('--json'));
    return exitCodeOf(error);
  }
}

async function start(words: string[], io: Io): Promise<number> {
  const [name, about] = words;
  if (name === '--version') {
    print(io, (createRequire(import.meta.url)('atelier-client/package.json') as { version: string }).version);
    return exitCodes.done;
  }
  if (name === 'help' && about !== undefined) return start([...words.slice(1), '--help'], io);
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    showHelp(io);
    return name === undefined ? exitCodes.misused : exitCodes.done;
  }
  const { command, args } = find(words);
  const input = read(io, command, args);
  if (input.help) {
    showCommandHelp(io, command);
    return exitCodes.done;
  }
  refuseSurplus(command, input.args);
  try {
    return (await command.run(input, io)) ?? exitCodes.done;
  } catch (error) {
    // Answers of another service need not have the types of the contract. With Atelier it is our fault.
    if (!(error instanceof TypeError) && !(error instanceof SyntaxError)) throw error;
    const { url } = await findConnection(input.connection);
    if (url === undefined || (await isAtelier(url))) throw error;
    const message = `${url} is no Atelier, or one of another version: this program does not understand its answer.`;
    throw new AtelierError(0, { message, action: 'Check the address, and the version: atelier --version' }, error);
  }
}

async function isAtelier(url: string): Promise<boolean> {
  const reading = new Atelier({ url, retries: 0, timeoutSeconds: 5 }).readCatalog();
  const catalog = (await reading.catch(() => null)) as { service_families?: unknown; job_statuses?: unknown } | null;
  return Array.isArray(catalog?.service_families) && Array.isArray(catalog.job_statuses);
}
