import { type Command, InvalidArgumentError } from 'commander';
import { isMarkedCopy } from '../server/backup/copy.ts';
import { checkConfiguration } from '../server/doctor/check-configuration.ts';
import { examineDatabase, examinePublicAddress, examineSurroundings } from '../server/doctor/examine.ts';
import type { Line, Status } from '../server/doctor/run-checks.ts';
import { reasonWithout } from '../server/doctor/reason.ts';
import { pagesDir } from '../server/start/context.ts';
import { pages } from '../web/build/fingerprint.ts';
import { withDatabase, withDatabaseUrl } from './connection.ts';
import { Ended, type Shared, show } from './output.ts';

export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('examine settings, surroundings and data; exits 1 if something needs a look, 2 if something is broken')
    .option('--mail-to <address>', 'also send a test mail to this address', readAddress)
    .action(async (_, command: Command) => doctor(command.optsWithGlobals()));
}

type Options = Shared & { mailTo?: string };

function readAddress(text: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text)) throw new InvalidArgumentError('It is not an e-mail address.');
  return text;
}

const exitCodes: Record<Status, number> = { ok: 0, warn: 1, fail: 2 };

async function doctor(options: Options): Promise<void> {
  const lines = await examine(options);
  const status = (['fail', 'warn', 'ok'] as const).find((worst) => lines.some((line) => line.status === worst)) ?? 'ok';
  show(options, { doctor: { status, lines } }, [...lines.flatMap(describe), summary(lines)]);
  throw new Ended(exitCodes[status]);
}

async function examine(options: Options): Promise<Line[]> {
  const { io } = options;
  const { config, findings } = checkConfiguration(io.env);
  const lines = findings.map((finding) => ({ check: 'configuration', ...finding }));
  if (!config) return lines;
  const installation = {
    config,
    variables: io.env,
    publicUrl: options.url?.replace(/\/$/, '') ?? config.publicUrl,
    pagesDir,
    builtPages: pages.state(),
    mailTo: options.mailTo ?? null,
    isCopy: config.outboundOff || (await withDatabase(io, config, isMarkedCopy).catch(() => false)),
  };
  const surroundings = await examineSurroundings(installation);
  const database = await withDatabaseUrl(io, config, (url) => examineDatabase(installation, url)).catch(
    (error: unknown): Line[] => [
      {
        check: 'Postgres',
        status: 'fail',
        sentence: `The embedded Postgres cannot be used: ${reasonWithout(io.env)(error)}.`,
        action: 'Look at DATA_DIR, or name a Postgres of your own in DATABASE_URL.',
      },
    ],
  );
  const address = await examinePublicAddress(installation, database);
  return [...lines, ...surroundings, ...address, ...database];
}

const describe = ({ check, status, sentence, action }: Line): string[] => [
  `${status.padEnd(4)}  ${check}: ${sentence}`,
  ...(action === null ? [] : [`      → ${action}`]),
];

function summary(lines: readonly Line[]): string {
  const count = (status: Status) => lines.filter((line) => line.status === status).length;
  return `${count('ok')} ok, ${count('warn')} to look at, ${count('fail')} broken.`;
}
