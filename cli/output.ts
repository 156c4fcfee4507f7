import { AtelierError } from '../client/atelier.ts';
import { Unusable } from '../server/backup/unusable.ts';
import { Refusal } from '../server/http/refusal.ts';

export class Failure extends Error {
  readonly action: string;
  constructor(message: string, action: string) {
    super(message);
    this.action = action;
  }
}

/** Prints a result to standard output: text, or one JSON value with `--json`. */
export function show(json: boolean | undefined, value: unknown, lines: string[]): void {
  process.stdout.write(json ? `${JSON.stringify(value)}\n` : lines.map((line) => `${line}\n`).join(''));
}

export const print = (line: string): void => void process.stderr.write(`${line}\n`);

type Fault = { message: string; code?: string; action?: string; request_id?: string };

function faultOf(error: unknown): Fault {
  if (error instanceof AtelierError) {
    const { code, message, action, requestId } = error;
    return { message, code, action, ...(requestId === null ? {} : { request_id: requestId }) };
  }
  if (error instanceof Failure || error instanceof Unusable) return { message: error.message, action: error.action };
  if (error instanceof Refusal) return { message: error.message, code: error.code, action: error.action };
  if (isUnmigrated(error))
    return { message: 'The database is not up to date.', action: 'Run: npm run admin -- migrate' };
  return { message: error instanceof Error ? error.message : String(error) };
}

const isUnmigrated = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['42P01', '42703'].includes(String(error.code));

export function showFailure(json: boolean | undefined, error: unknown): void {
  const fault = faultOf(error);
  if (json) return print(JSON.stringify({ error: fault }));
  print(`error: ${fault.message}`);
  if (fault.code) print(`  code        ${fault.code}`);
  if (fault.action) print(`  action      ${fault.action}`);
  if (fault.request_id) print(`  request id  ${fault.request_id}`);
}
