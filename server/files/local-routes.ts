import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { setTimeout as wait } from 'node:timers/promises';
import type { Readable } from 'node:stream';
import type { Db } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import type { Signer } from '../lib/signer.ts';
import { largerThan, openObject, writeObject } from './local-objects.ts';
import { refuseForeign } from './guard-storage.ts';
import type { Places } from './places.ts';
import { rangeOf } from './range.ts';
import { signatureHolds } from './signed-url.ts';
import { typeOfKey } from './storage-local.ts';
import type { Storage } from './storage.ts';

type Dependencies = { db: Db; signer: Signer; places: Places; storage: Storage; isCopy: boolean };
type SignedRoute = { Params: { name: string }; Querystring: Record<string, unknown> };
type Signed = FastifyRequest<SignedRoute>;

/** Milliseconds for transferring a file: enough for 100 MiB at 3 Mbit/s. */
const uploadWithin = 300_000;
export const downloadWithin = 3_600_000;

const urlUsed = 'This upload was completed, deleted or has expired: the URL accepts no more bytes.';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Reads the rest of a refused upload, so that the sender gets the answer instead of a broken connection. */
async function letFinish(bytes: Readable): Promise<void> {
  if (bytes.readableEnded || bytes.destroyed) return;
  bytes.resume();
  await Promise.race([new Promise((resolve) => bytes.once('end', resolve).once('close', resolve)), wait(2_000)]);
}

/** An upload URL ends with its upload. */
async function refuseUnlessPending(db: Db, name: string): Promise<void> {
  const [id = ''] = name.split('.');
  const file = await db.selectFrom('files').select('status').where('id', '=', id).executeTakeFirst();
  if (file?.status !== 'pending_upload') throw new Refusal('signed_url_invalid', { message: urlUsed });
}

type Opened = NonNullable<Awaited<ReturnType<typeof openObject>>>;

async function sendPart(
  request: Signed,
  reply: FastifyReply,
  { handle, bytes, etag }: Opened,
  headers: Record<string, string | number>,
) {
  if (request.method === 'HEAD') {
    await handle.close();
    return reply.headers(headers).send();
  }
  const current = request.headers['if-range'] === undefined || request.headers['if-range'] === etag;
  const range = current ? rangeOf(request.headers.range, bytes) : null;
  if (range === 'beyond') {
    await handle.close();
    throw new Refusal('invalid_request', { status: 416, headers: { 'content-range': `bytes */${bytes}` } });
  }
  if (range === null) return reply.headers(headers).send(handle.createReadStream());
  const { start, end } = range;
  return reply
    .code(206)
    .headers({ ...headers, 'content-length': end - start + 1, 'content-range': `bytes ${start}-${end}/${bytes}` })
    .send(handle.createReadStream({ start, end }));
}

/** None in a bucket, unless the files are moved from or to a folder. */
const foldersIn = async (places: Places): Promise<string[]> =>
  (await places.latest()).flatMap(({ config }) => ('folder' in config ? [config.folder] : []));

/** PUT, GET and HEAD of signed URLs. Not in the API document, like URLs of any other storage. */
export function localRoutes(parts: Dependencies): (app: FastifyInstance) => Promise<void> {
  const { db, signer, places, storage, isCopy } = parts;
  const refuseUnlessSigned = async (request: Signed, method: 'GET' | 'PUT', key: string, signedValues: string[]) => {
    const { expires, signature } = request.query;
    const terms = { method, key, expires: textOf(expires), signedValues };
    if (!(await signatureHolds({ db, signer }, terms, textOf(signature)))) throw new Refusal('signed_url_invalid');
  };

  async function receive(request: Signed, reply: FastifyReply) {
    const key = `uploads/${request.params.name}`;
    const { 'content-type': type, 'x-service-max-size': size, 'content-length': length } = request.headers;
    try {
      await refuseUnlessSigned(request, 'PUT', key, [textOf(type), textOf(size)]);
      await refuseUnlessPending(db, request.params.name);
      const [folder] = await foldersIn(places);
      if (folder === undefined) throw new Refusal('not_found');
      await storage.ready();
      if (isCopy) await refuseForeign({ db, storage });
      if (Number(length ?? 0) > Number(size)) throw largerThan(Number(size));
      await writeObject(folder, key, request.raw, Number(size));
    } catch (error) {
      await letFinish(request.raw);
      throw error;
    }
    return reply.code(200).send();
  }

  async function deliver(kind: 'files' | 'viewing', request: Signed, reply: FastifyReply) {
    const key = `${kind}/${request.params.name}`;
    const disposition = textOf(request.query['disposition']);
    await refuseUnlessSigned(request, 'GET', key, [disposition]);
    await storage.ready();
    let object: Opened | null = null;
    for (const folder of await foldersIn(places)) object ??= await openObject(folder, key);
    if (!object) throw new Refusal('not_found');
    const headers = {
      'content-type': typeOfKey(key),
      'content-length': object.bytes,
      'content-disposition': disposition,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'accept-ranges': 'bytes',
      etag: object.etag,
    };
    return sendPart(request, reply, object, headers);
  }

  return async (app) => {
    app.removeAllContentTypeParsers();
    // The bytes stay in the socket until the signature is verified, then stream to the disk.
    app.addContentTypeParser('*', (_request, _bytes, done) => done(null));
    app.put('/storage/uploads/:name', { config: { answerWithin: uploadWithin } }, receive);
    for (const kind of ['files', 'viewing'] as const)
      app.route<SignedRoute>({
        method: ['GET', 'HEAD'],
        url: `/storage/${kind}/:name`,
        exposeHeadRoute: false,
        config: { answerWithin: downloadWithin },
        handler: (request, reply) => deliver(kind, request, reply),
      });
  };
}
