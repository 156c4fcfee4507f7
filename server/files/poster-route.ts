import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import { deadlines } from '../lib/deadlines.ts';
import type { Signer } from '../lib/signer.ts';
import { posterSeconds, posterTerms } from './poster-url.ts';
import { signatureHolds } from './signed-url.ts';
import type { Storage } from './storage.ts';

type Dependencies = { db: Db; signer: Signer; storage: Storage };
type Signed = FastifyRequest<{ Params: { name: string }; Querystring: Record<string, unknown> }>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * GET and HEAD of posters, from either storage. The service sends them itself: that signs a URL without the
 * SDK of the storage, keeps it the same for an hour, and gives every poster our headers.
 */
export function posterRoute({ db, signer, storage }: Dependencies): (app: FastifyInstance) => Promise<void> {
  async function sendPoster(request: Signed, reply: FastifyReply) {
    const key = `posters/${request.params.name}`;
    const { expires, signature } = request.query;
    if (!(await signatureHolds({ db, signer }, posterTerms(key, textOf(expires)), textOf(signature))))
      throw new Refusal('signed_url_invalid');
    const object = await storage.open(key, deadlines.storage.answer);
    if (!object) throw new Refusal('not_found');
    if (request.method === 'HEAD') object.stream.destroy();
    return reply
      .headers({
        'content-type': 'image/webp',
        'content-length': object.bytes,
        'content-disposition': 'inline',
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
        // The signature is the credential: pages in MCP hosts, which have another origin, show it as well.
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': `private, max-age=${posterSeconds}`,
      })
      .send(request.method === 'HEAD' ? undefined : object.stream);
  }
  return async (app) => {
    const url = '/storage/posters/:name';
    app.route({ method: ['GET', 'HEAD'], url, exposeHeadRoute: false, handler: sendPoster });
  };
}
