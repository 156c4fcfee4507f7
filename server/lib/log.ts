import { setTimeout as wait } from 'node:timers/promises';
import pino, { type Logger } from 'pino';

/** Type, code, message and stack of an error. Its other fields can hold rows, connections and secrets, so they stay out. */
function showError(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'something that is not an error was thrown' };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: showError(error.cause) };
  return { type: error.name, ...code, message: error.message, stack: error.stack, ...cause };
}

const secrets = ['authorization', 'cookie', 'password', 'token', 'plaintext_key', 'lease_token', 'csrf_token'];

/** Bytes that wait for a reader who does not read; what comes after is dropped, so that no request and no memory waits. */
const heldForReader = 4 * 1024 * 1024;

type Output = ReturnType<typeof pino.destination>;
const outputs = new WeakMap<Logger, Output>();

/** Readable lines in colour, for a person at a terminal. */
export async function terminalStream(): Promise<pino.DestinationStream> {
  const { default: pretty } = await import('pino-pretty');
  return pretty({ colorize: true, ignore: 'pid,hostname', translateTime: 'HH:MM:ss', singleLine: true, sync: true });
}

/** One JSON line an entry, unless `to` renders it. What could carry a secret is cut out wherever it stands, should a line ever hold it. */
export function createLog(level: string, to?: pino.DestinationStream): Logger {
  const output = to ? null : pino.destination({ dest: 1, sync: false, maxLength: heldForReader });
  const log = pino(
    {
      level,
      serializers: { err: showError },
      mixin: (_line, _level, logger) => ('requestId' in logger ? { request_id: logger.requestId } : {}),
      redact: { paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[cut]' },
    },
    to ?? output ?? undefined,
  );
  if (output) {
    outputs.set(log, output);
    surviveWriteErrors(output, (lines) =>
      log.warn({ lines }, 'lines of the log were lost while it could not be written'),
    );
  }
  return log;
}

/** A full disk costs lines and not the service. What could not be written is tried again each second. */
function surviveWriteErrors(output: Output, sayLost: (lines: number) => void): void {
  let lost = 0;
  let retry: NodeJS.Timeout | undefined;
  output.on('drop', () => lost++);
  output.on('error', () => {
    clearTimeout(retry);
    retry = setTimeout(() => output.write(''), 1_000).unref();
  });
  output.on('drain', () => {
    const lines = lost;
    lost = 0;
    if (lines > 0) sayLost(lines);
  });
}

/** The log of one request. A child as pino makes it would write and redact the id at once, and most requests log nothing. */
export const requestLog = <Log extends object>(log: Log, requestId: string): Log =>
  Object.assign(Object.create(log) as Log, { requestId });

/** Waits until what was logged so far is written, so that what is printed next comes after it. */
export const flushLog = (log: Logger): Promise<void> =>
  new Promise((flushed) => {
    const output = outputs.get(log);
    if (output) output.flush(() => flushed());
    else flushed();
  });

/** Before the process exits: the last lines have so many milliseconds to be read, else the exit would wait for the reader for ever. */
export async function endLog(log: Logger, milliseconds: number): Promise<void> {
  const output = outputs.get(log);
  if (!output) return;
  await Promise.race([new Promise((flushed) => output.flush(flushed)), wait(milliseconds)]);
  output.destroy();
}
