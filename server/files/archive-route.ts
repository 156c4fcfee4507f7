import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { finished, type Readable } from 'node:stream';
import type { RateName } from '../../contract/rates.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Db } from '../db/pool.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import { Refusal } from '../http/refusal.ts';
import type { Signer } from '../lib/signer.ts';
import { type Archive, type ArchivedFile, archiveOf, archiveTerms, filesOf, isAtDesk } from './archive.ts';
import { archiveNames } from './archive-names.ts';
import { downloadWithin } from './local-routes.ts';
import { signatureHolds } from './signed-url.ts';
import type { Storage } from './storage.ts';
import { bytesOfZip, zipOf } from './zip.ts';

type Dependencies = {
  db: Db;
  signer: Signer;
  storage: Storage;
  catalog: Catalog;
  rates: RateLimiter<RateName>;
  /** Milliseconds after which a reader that takes nothing is cut off. */
  silence?: number;
  /** Milliseconds after which the right to an archive that is being sent is looked at again. */
  recheck?: number;
};
type Signed = FastifyRequest<{ Params: { name: string }; Querystring: Record<string, unknown> }>;

/** Archives that are sent at once: by this process, and to each kind of holder of an account. */
const [perProcess, perAccount] = [64, 8];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Cuts the answer off once the right to it has ended. */
function watch(db: Db, archive: Archive, { reply, recheck }: { reply: FastifyReply; recheck: number }): void {
  const look = async () => {
    const row = await filesOf(db, archive).limit(1).executeTakeFirst();
    if (!row) reply.raw.destroy();
  };
  // While the database is away, nobody knows.
  const timer = setInterval(() => void look().catch(() => {}), recheck);
  finished(reply.raw, () => clearInterval(timer));
}

/** GET and HEAD of archives, from either storage. A fault while one is sent breaks the connection. */
export function archiveRoute(parts: Dependencies): (app: FastifyInstance) => Promise<void> {
  const { db, signer, storage, catalog, rates, silence = 60_000, recheck = 10_000 } = parts;

  function begin({ holder, accountId }: Archive): () => void {
    const busy = new Refusal('service_unavailable', { headers: { 'retry-after': '30' } });
    const message = `The account gets at most ${perAccount} archives at a time.`;
    const many = new Refusal('rate_limit_exceeded', { message, retryAfterSeconds: 30 });
    const endOne = rates.inFlight.begin('archives', perProcess, busy);
    try {
      const endOfAccount = rates.inFlight.begin(`archives ${holder} ${accountId}`, perAccount, many);
      return () => [endOne, endOfAccount].forEach((end) => end());
    } catch (error) {
      endOne();
      throw error;
    }
  }

  /** Reads the row again: files, links and people may have gone while the archive is sent. */
  async function open(archive: Archive, { id }: ArchivedFile): Promise<Readable> {
    const file = await filesOf(db, archive).where('file.id', '=', id).executeTakeFirst();
    const object = file?.object_key && (await storage.open(file.object_key, downloadWithin));
    if (!object) throw new Refusal('not_found');
    return object.stream;
  }

  async function sendArchive(request: Signed, reply: FastifyReply) {
    const key = `archives/${request.params.name}`;
    const { expires, signature, disposition } = request.query;
    const terms = archiveTerms(key, textOf(expires), textOf(disposition));
    if (!(await signatureHolds({ db, signer }, terms, textOf(signature)))) throw new Refusal('signed_url_invalid');
    await storage.ready();
    const archive = archiveOf(key);
    finished(reply.raw, begin(archive));
    const files = await filesOf(db, archive).execute();
    if (files.length === 0)
      throw new Refusal('not_found', {
        message: 'The files of this archive, or the access that asked for it, are gone.',
        action: 'Ask for a new address.',
      });
    const naming = { round: archive.round, atDesk: isAtDesk(archive), fileTypes: catalog.fileTypes };
    const names = archiveNames(files, naming);
    const entries = files.map((file, at) => ({ ...file, name: names[at] ?? file.id, at: file.uploaded_at }));
    reply.headers({
      'content-type': 'application/zip',
      'content-disposition': textOf(disposition),
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    });
    if (request.method === 'HEAD') return reply.header('content-length', bytesOfZip(entries)).send();
    watch(db, archive, { reply, recheck });
    reply.raw.setTimeout(silence, () => reply.raw.destroy());
    const { bytes, stream } = zipOf(entries, (file) => open(archive, file));
    return reply.header('content-length', bytes).send(stream);
  }

  return async (app) => {
    const config = { answerWithin: downloadWithin };
    app.route({
      method: ['GET', 'HEAD'],
      url: '/storage/archives/:name',
      exposeHeadRoute: false,
      config,
      handler: sendArchive,
    });
  };
}
