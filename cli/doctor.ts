import { type Command, InvalidArgumentError, Option } from 'commander';
import { isMarkedCopy } from '../server/backup/copy.ts';
import { checkConfiguration } from '../server/doctor/check-configuration.ts';
import { examineAll } from '../server/doctor/examine.ts';
import type { Line, Status } from '../server/doctor/run-checks.ts';
import { reasonWithout } from '../server/doctor/reason.ts';
import { tellOwners } from '../server/doctor/tell-owners.ts';
import { patience } from '../server/mail/letter.ts';
import { readConfig } from '../server/start/config.ts';
import { pagesDir } from '../server/start/context.ts';
import { pages } from '../web/build/fingerprint.ts';
import { withDatabase, withDatabaseUrl } from './connection.ts';
import { Ended, type Io, print, type Shared, show } from './output.ts';

export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('examine settings, surroundings and data; exits 1 if something needs a look, 2 if something is broken')
    .option('--mail-to <address>', 'also send a test mail to this address', readAddress)
    .addOption(new Option('--daily', 'also mail the owners of the studio what changed').conflicts('mailTo'))
    .action(async (_, command: Command) => doctor(command.optsWithGlobals()));
}

type Options = Shared & { mailTo?: string; daily?: true };

function readAddress(text: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text)) throw new InvalidArgumentError('It is not an e-mail address.');
  return text;
}

const exitCodes: Record<Status, number> = { ok: 0, warn: 1, fail: 2 };

async function doctor(options: Options): Promise<void> {
  const lines = await examine(options);
  const status = (['fail', 'warn', 'ok'] as const).find((worst) => lines.some((line) => line.status === worst)) ?? 'ok';
  show(options, { doctor: { status, lines } }, [...lines.flatMap(describe), summary(lines)]);
  if (options.daily) print(options.io, await tell(options.io, lines));
  throw new Ended(exitCodes[status]);
}

/** What became of the mails, for the log of the timer. */
async function tell(io: Io, lines: readonly Line[]): Promise<string> {
  const failed = (check: string) => lines.some((line) => line.check === check && line.status === 'fail');
  try {
    const { appeared, solved, owners } = await withDatabase(io, readConfig(io.env), (db) => tellOwners(db, lines));
    if (appeared + solved === 0) return 'Nothing changed since the last examination of a day: nobody is mailed.';
    const changes = `New problems: ${appeared}, solved: ${solved}.`;
    if (owners === 0) return `${changes} Nobody is told, because the studio has no owner.`;
    if (lines.some(({ check }) => check === 'copy')) return `${changes} Nobody is told, because this is a copy.`;
    if (failed('mail server'))
      return `${changes} Nobody is told now, because the mail server fails. Mails that wait for it, for ${patience} hours: ${owners}.`;
    return `${changes} Mails to owners that the service sends: ${owners}.`;
  } catch (error) {
    return `Nobody is told, because the examination cannot be stored: ${reasonWithout(io.env)(error)}.`;
  }
}

export async function examine(options: Options): Promise<Line[]> {
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
    isService: false,
  };
  return [...lines, ...(await examineAll(installation, (use) => withDatabaseUrl(io, config, use)))];
}

const describe = ({ check, status, sentence, action }: Line): string[] => [
  `${status.padEnd(4)}  ${check}: ${sentence}`,
  ...(action === null ? [] : [`      → ${action}`]),
];

function summary(lines: readonly Line[]): string {
  const count = (status: Status) => lines.filter((line) => line.status === status).length;
  return `${count('ok')} ok, ${count('warn')} to look at, ${count('fail')} broken.`;
}
