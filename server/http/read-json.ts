import type { FastifyBodyParser, FastifyInstance } from 'fastify';
import { bodyStatus } from '../../contract/endpoint.ts';
import { badBody, Refusal } from './refusal.ts';

/** Limits of a body. Our own need depth five and about a thousand values. */
const deepest = 32;
const mostValues = 10_000;

const compressed = () =>
  new Refusal('unsupported_media_type', {
    message: 'The request body must not be compressed.',
    action: 'Send it without Content-Encoding.',
  });

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const isNothing = (bytes: Buffer) => ['', '{}'].includes(bytes.toString('latin1').trim());

/** Accepts only strict UTF-8 JSON; an empty body is no body. Refuses prototype keys and repeated names. */
export function readJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  const readJson: FastifyBodyParser<Buffer> = (request, bytes, done) => {
    const { endpoint } = request.routeOptions.config;
    const refuse = (message: string) => done(badBody([{ location: '', message }], endpoint && bodyStatus(endpoint)));
    if (bytes.length === 0) return done(null);
    const excess = tooMuch(bytes, deepest, mostValues);
    if (excess === 'deep') return refuse(`is nested deeper than ${deepest} levels`);
    if (excess === 'many') return refuse(`has more than ${mostValues} values`);
    if ((request.headers['content-encoding'] || 'identity').toLowerCase() !== 'identity') return done(compressed());
    let text: string;
    try {
      text = utf8.decode(bytes);
    } catch {
      return refuse('is not valid UTF-8');
    }
    return parse(request, text, (error, body) => {
      if (error) return done(error);
      const name = repeatedName(text);
      return name === null ? done(null, body) : refuse(`repeats the field ${JSON.stringify(name.slice(0, 100))}`);
    });
  };
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, readJson);
  // A route without a body accepts none, or `{}`, with any type: curl and browsers always name one.
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    const { endpoint } = request.routeOptions.config;
    const untyped = request.headers['content-type'] === undefined;
    if (endpoint && !endpoint.body && (untyped || isNothing(bytes))) return readJson(request, bytes, done);
    return done(new Refusal('unsupported_media_type'));
  });
}

const [quote, escape, openList, openObject, closeList, closeObject, comma] = Buffer.from('"\\[{]},');

/** Checks the bytes up to the first excess: JSON.parse needs a second for a megabyte of brackets. */
function tooMuch(json: Uint8Array, levels: number, values: number): 'deep' | 'many' | null {
  let depth = 0;
  let count = 1;
  let inText = false;
  for (let at = 0; at < json.length; at++) {
    const sign = json[at];
    if (inText) {
      if (sign === escape) at++;
      else if (sign === quote) inText = false;
    } else if (sign === quote) inText = true;
    else if (sign === openList || sign === openObject) {
      if (++depth > levels) return 'deep';
      if (++count > values) return 'many';
    } else if (sign === closeList || sign === closeObject) depth--;
    else if (sign === comma && ++count > values) return 'many';
  }
  return null;
}

/** JSON.parse keeps the last of repeated names, so two readers could see different requests. */
function repeatedName(json: string): string | null {
  const open: (Set<string> | null)[] = [];
  let nameComes = false;
  for (let at = 0; at < json.length; at++) {
    const sign = json[at];
    if (sign === '{' || sign === '[') {
      nameComes = sign === '{';
      open.push(nameComes ? new Set() : null);
    } else if (sign === '}' || sign === ']') {
      open.pop();
      nameComes = false;
    } else if (sign === ',') {
      nameComes = open.at(-1) instanceof Set;
    } else if (sign === '"') {
      const start = at++;
      while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
      const names = open.at(-1);
      if (!nameComes || !names) continue;
      const raw = json.slice(start, at + 1);
      const name = raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
      if (names.has(name)) return name;
      names.add(name);
      nameComes = false;
    }
  }
  return null;
}

/** What a JSON text says that could be a body; undefined for any other text. */
export function jsonIn(text: string): unknown {
  try {
    if (tooMuch(Buffer.from(text), deepest, mostValues) !== null) return undefined;
    const value: unknown = JSON.parse(text, refusePrototype);
    return repeatedName(text) === null ? value : undefined;
  } catch {
    return undefined;
  }
}

function refusePrototype(name: string, value: unknown): unknown {
  if (name === '__proto__' || name === 'constructor') throw new SyntaxError(name);
  return value;
}
