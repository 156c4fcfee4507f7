import type { FastifyInstance } from 'fastify';
import { receiveWebhook as endpoint } from '../../contract/plans/billing.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { AuditCause } from '../audit/append-audit.ts';
import { type RateLimiter, countedFor } from '../http/rate-limit.ts';
import { Refusal } from '../http/refusal.ts';
import type { Db } from '../db/pool.ts';
import { byService } from '../http/request.ts';
import type { Signer } from '../lib/signer.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { termsOf } from './verify-terms.ts';
import type { Provider } from './provider.ts';
import { receiveWebhook } from './receive-webhook.ts';
import { onlyHeader } from './signature.ts';
import type { WebhookSignatures } from './webhook-signatures.ts';

type Dependencies = {
  db: Db;
  rates: RateLimiter<'bad_credential'>;
  signer: Signer;
  catalog: Catalog;
  provider: Provider;
  signatures: WebhookSignatures;
  config: { webhookSecrets: readonly string[]; servesUncollected: boolean };
};

/** In bytes. */
const largestEvent = 1024 * 1024;

/** Takes raw bytes, which the signature covers, so it has a parser and a scope of its own. */
export function webhookRoute(dependencies: Dependencies): (app: FastifyInstance) => Promise<void> {
  const { db, rates, signer, signatures, config } = dependencies;
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, bytes, done) => done(null, bytes));
    const about: { endpoint: Endpoint } = { endpoint };
    app.post(endpoint.path, { config: about, bodyLimit: largestEvent }, async (request, reply) => {
      const rules = { ...termsOf(dependencies), secrets: config.webhookSecrets, signatures };
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const signature = onlyHeader('stripe-signature', request.raw.rawHeaders);
      const addressHash = signer.hashAddress(request.ip);
      const cause: AuditCause = { ...byService(request.id), actor: 'provider', addressHash };
      const answer = await receiveWebhook(db, request.log, rules, { signature, body, cause }).catch(
        async (error: unknown) => {
          // Verifying a signature reads the whole body, and anybody may send one.
          if (error instanceof Refusal && error.code === 'invalid_signature')
            await rates.spend('bad_credential', countedFor(null, request.ip));
          throw error;
        },
      );
      return reply.code(answer.status).send(answer.body);
    });
  };
}
