import type { TSchema } from 'typebox';
import type { Answer, Endpoint } from '../../contract/endpoint.ts';

type Schema = TSchema & { const?: unknown; properties?: Record<string, Schema>; required?: string[] };

/** The one answer that a schema leaves, such as `{ "done": true }`; undefined if there are others. */
export function onlyAnswer({ const: value, properties, required = [] }: Schema): unknown {
  if (value !== undefined) return value;
  const fields = required.map((name) => [name, onlyAnswer(properties?.[name] ?? {})] as const);
  return fields.length > 0 && fields.every(([, field]) => field !== undefined) ? Object.fromEntries(fields) : undefined;
}

const successes = ({ operationId, answers }: Endpoint): [status: string, answer: Answer][] =>
  Object.entries(answers).filter(
    // Their answers are the document itself, and about the machine.
    ([, { schema, stream, text }]) =>
      !['readOpenapi', 'readDeskHealth', 'readSupportBundle'].includes(operationId) && (schema ?? stream ?? text),
  );

type Content = { status: string; type: string; only: unknown };

/** Each status and media type that has an example, with the answer if there can be no other. */
export const contentsOf = (endpoint: Endpoint): Content[] =>
  successes(endpoint).flatMap(([status, { schema, stream, text, lines }]) =>
    Object.entries({
      'application/json': schema,
      'text/event-stream': stream,
      'text/plain': text,
      'application/x-ndjson': lines,
    }).flatMap(([type, has]) => (has ? [{ status, type, only: has === true ? undefined : onlyAnswer(has) }] : [])),
  );

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
const prefix = 'k7m2p9qx';

/** The same form, as in `ate_k7m2p9qx_…`, but nothing of the secret. */
function masked(text: string): string {
  const lead = /^(?:[a-z]+_(?:[0-9a-z]{8}_)?)?/.exec(text)?.[0] ?? '';
  const hidden = Array.from(text.slice(lead.length), (sign, at) => (/[\w+/-]/.test(sign) ? letters[at % 36] : sign));
  return lead.replace(/[0-9a-z]{8}_$/, `${prefix}_`) + hidden.join('');
}

const id = '01jd3vsh8xe7rtx1zqbdnzc4v0';
const uuid = '0b7d4c1e-5a7f-4c39-9d52-2f1f3e0c8a61';
const longest = 100;
const day = 86_400_000;

/** A time of recording as one of four that stay: long ago, now, soon, later. */
function time(text: string): string {
  const ahead = Date.parse(text) - Date.now();
  if (ahead < -day) return '2026-11-01T00:00:00.000Z';
  if (ahead < 60_000) return '2026-11-20T09:30:00.000Z';
  return ahead < day / 12 ? '2026-11-20T09:45:00.000Z' : '2026-12-20T09:30:00.000Z';
}

/** Random parts are replaced by ones that stay, so that a file of answers changes when the answers do. */
function steady(text: string, url: string): string {
  const shown = text
    .replaceAll(/https?:\/\/(?:127\.0\.0\.1|localhost):\d+/g, '{{url}}')
    .replaceAll(url, '{{url}}')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'painter.example')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, time)
    .replaceAll(/\b\d{4}-\d\d-\d\d\b(?!T)/g, '2026-11-20')
    .replaceAll(/(?<![\w-])1[789]\d{8}(?![\w-])/g, '1795080600')
    .replaceAll(/\b([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g, `$1_${id}`)
    .replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?=@|%40)/g, 'ada')
    .replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, uuid)
    .replaceAll(/[\w+-]{20,}=*/g, (word) => (isSecret(word) ? masked(word) : word));
  return shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
}

/** Letters and digits without an end that are no path, no id of ours and no word. */
const isSecret = (word: string) =>
  /\d/.test(word) && /[A-Za-z]/.test(word) && !word.includes(id) && !word.includes(uuid);

/** Values that are random although they are short, or are one of a kind in tests alone. */
const usual: Record<string, string> = {
  prefix,
  csrf_token: masked('x'.repeat(43)),
  service_family: 'design',
};

/** An answer as the document shows it: without secrets, each list with its first entry, long texts cut. */
export function madeUp(value: unknown, url: string, name = ''): unknown {
  if (typeof value === 'string') {
    const text = steady(value, url);
    if (text === uuid) return name === 'name' ? 'Monthly newsletter' : (usual[name] ?? text);
    return usual[name] ?? (['token', 'secret', 'recovery_codes'].includes(name) ? masked(value) : text);
  }
  if (Array.isArray(value)) return value.slice(0, 1).map((entry) => madeUp(entry, url, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, madeUp(inner, url, field)]));
}
