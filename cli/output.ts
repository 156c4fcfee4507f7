import type { Readable, Writable } from 'node:stream';
import { AtelierError } from '../client/atelier.ts';
import { Unusable } from '../server/backup/unusable.ts';
import { Unmoved } from '../server/files/move-storage.ts';
import { Refusal } from '../server/http/refusal.ts';

/** What a command may use of its process. `admin.ts` gives it the real one. */
export type Io = {
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable;
  stderr: Writable;
  env: Record<string, string | undefined>;
};

/** Options of every command, to which `run` adds what it was given. */
export type Shared = { io: Io; json?: true; url?: string };

export class Failure extends Error {
  readonly action: string;
  constructor(message: string, action: string) {
    super(message);
    this.action = action;
  }
}

/** Ends a command that has said everything, with this exit code. */
export class Ended extends Error {
  readonly exitCode: number;
  constructor(exitCode: number) {
    super();
    this.exitCode = exitCode;
  }
}

/** Prints a result to standard output: text, or one JSON value with `--json`. */
export function show({ io, json }: Shared, value: unknown, lines: string[]): void {
  io.stdout.write(json ? `${JSON.stringify(value)}\n` : lines.map((line) => `${line}\n`).join(''));
}

export const print = (io: Io, line: string): void => void io.stderr.write(`${line}\n`);

export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

type Fault = { message: string; code?: string; action?: string; request_id?: string };

function faultOf(error: unknown): Fault {
  if (error instanceof AtelierError) {
    const { code, message, action, requestId } = error;
    return { message, code, action, ...(requestId === null ? {} : { request_id: requestId }) };
  }
  if (error instanceof Failure || error instanceof Unusable || error instanceof Unmoved)
    return { message: error.message, action: error.action };
  if (error instanceof Refusal) return { message: error.message, code: error.code, action: error.action };
  if (isUnmigrated(error))
    return { message: 'The database is not up to date.', action: 'Run: npm run admin -- migrate' };
  return { message: wordsOf(error) };
}

const isUnmigrated = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['42P01', '42703'].includes(String(error.code));

export function showFailure({ io, json }: Shared, error: unknown): void {
  const fault = faultOf(error);
  if (json) return print(io, JSON.stringify({ error: fault }));
  print(io, `error: ${fault.message}`);
  if (fault.code) print(io, `  code        ${fault.code}`);
  if (fault.action) print(io, `  action      ${fault.action}`);
  if (fault.request_id) print(io, `  request id  ${fault.request_id}`);
}
