import type { FastifyBodyParser, FastifyInstance } from 'fastify';
import { bodyStatus } from '../../contract/endpoint.ts';
import { badBody, Refusal } from './refusal.ts';
import { deepest, mostValues, repeatedName, tooMuch } from './strict-json.ts';

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
