import { setTimeout as wait } from 'node:timers/promises';
import pino, { type Logger } from 'pino';
import { atSources } from './source-places.ts';
import { traceIds } from './trace.ts';

/** Other fields of an error may hold rows, connections or secrets. */
function showError(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'something that is not an error was thrown' };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: showError(error.cause) };
  return { type: error.name, ...code, message: error.message, stack: error.stack && atSources(error.stack), ...cause };
}

/** The outer errors say what a customer or a caller should know, the innermost what happened. */
export const rootOf = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? rootOf(error.cause) : error;

const secrets = ['authorization', 'cookie', 'password', 'token', 'plaintext_key', 'lease_token', 'csrf_token'];

/** More is dropped, so that a slow log reader never blocks a request or fills memory. */
const maxBuffered = 4 * 1024 * 1024;

type Output = ReturnType<typeof pino.destination>;
const outputs = new WeakMap<Logger, Output>();

export async function terminalStream(): Promise<pino.DestinationStream> {
  const { default: pretty } = await import('pino-pretty');
  return pretty({ colorize: true, ignore: 'pid,hostname', translateTime: 'HH:MM:ss', singleLine: true, sync: true });
}

/** One JSON line per entry. Fields that could carry a secret are redacted at any depth. */
export function createLog(level: string, to?: pino.DestinationStream): Logger {
  const output = to ? null : pino.destination({ dest: 1, sync: false, maxLength: maxBuffered });
  const log = pino(
    {
      level,
      serializers: { err: showError },
      mixin: (_line, _level, logger) => ({
        ...('requestId' in logger ? { request_id: logger.requestId } : {}),
        ...traceIds(),
      }),
      redact: { paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[cut]' },
    },
    to ?? output ?? undefined,
  );
  if (output) {
    outputs.set(log, output);
    surviveWriteErrors(output, (lines) => log.warn({ lines }, 'log lines were lost because they could not be written'));
  }
  return log;
}

/** A full disk loses log lines but does not stop the service. Failed writes are retried every second. */
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

/** Avoids a pino child, which would serialize the id even for requests that log nothing. */
export const requestLog = <Log extends object>(log: Log, requestId: string): Log =>
  Object.assign(Object.create(log) as Log, { requestId });

/** Waits until everything logged so far is written, so that later output follows it. */
export const flushLog = (log: Logger): Promise<void> =>
  new Promise((flushed) => {
    const output = outputs.get(log);
    if (output) output.flush(() => flushed());
    else flushed();
  });

export async function endLog(log: Logger, milliseconds: number): Promise<void> {
  const output = outputs.get(log);
  if (!output) return;
  await Promise.race([new Promise((flushed) => output.flush(flushed)), wait(milliseconds)]);
  output.destroy();
}
