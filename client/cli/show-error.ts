import { AtelierError } from '../error.ts';
import { type Io, UsageError } from './command.ts';
import { jsonOf, printMessage } from './terminal.ts';
import { actionOf, inCommands } from './words.ts';

const keys = /[A-Za-z]{2,8}_[0-9a-z]{8}_[0-9A-Za-z]{8,}|whsec_[\w+/=]{8,}/g;

/** Errors stand in logs and on screens, and may repeat what was typed. */
const withoutKeys = ({ env }: Io, text: string): string => {
  const own = env['ATELIER_KEY'] ?? '';
  return (own.length >= 8 ? text.replaceAll(own, '[key]') : text).replace(keys, '[key]');
};

/** Readable lines, or with `--json` the API's error object. */
export function showError(io: Io, error: unknown, json: boolean): void {
  const say = (text: string) => printMessage(io, withoutKeys(io, text));
  const sayJson = (fields: object) => io.stderr.write(withoutKeys(io, jsonOf(io, { error: fields })));
  if (error instanceof AtelierError) {
    const { code, message, requestId: request_id, details, retryAfterSeconds: retry_after_seconds } = error;
    const action = actionOf(io, error);
    if (json) return void sayJson({ code, message, action, request_id, details, retry_after_seconds });
    say(`error: ${message}`);
    for (const { location, message, url, resets_at: resetsAt } of details) {
      // The message of a refused body is its first detail.
      if (error.message !== `${location}: ${message}`) say(`  ${location}: ${inCommands(message)}`);
      if (url) say(`  page        ${url}`);
      if (resetsAt) say(`  resets at   ${resetsAt}`);
    }
    say(`  code        ${code}`);
    if (action) say(`  next        ${action}`);
    if (request_id) say(`  request id  ${request_id}`);
    return;
  }
  const isUsage = error instanceof UsageError;
  const said = error instanceof Error ? error.message : String(error);
  const message = isUsage ? said : `This program failed: ${said}`;
  const action = isUsage ? error.action : 'Report it, with the version that "atelier --version" prints.';
  if (json) return void sayJson({ code: isUsage ? 'usage' : 'fault', message, action });
  say(`error: ${message}`);
  say(`  next  ${action}`);
}
