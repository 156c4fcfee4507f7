import type { FastifyPluginAsync } from 'fastify';
import { customerPages } from '../../contract/pages.ts';
import type { RateName } from '../../contract/rates.ts';
import type { Db } from '../db/pool.ts';
import { causeOf } from '../http/invoke.ts';
import { type RateLimiter, countedFor } from '../http/rate-limit.ts';
import type { Signer } from '../lib/signer.ts';
import { unknownToken } from '../mail/mail-token.ts';
import { endMails } from './unsubscribe.ts';

type Dependencies = { db: Db; signer: Signer; rates: RateLimiter<RateName> };

/** A mail program ends mails by a POST of a form to the address of the page (RFC 8058). */
export const oneClick =
  ({ db, signer, rates }: Dependencies): FastifyPluginAsync =>
  async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _bytes, done) => done(null)); // always the same form
    app.post(customerPages.unsubscribe, {
      bodyLimit: 4096,
      handler: async (request, reply) => {
        await rates.spend('use_mail_token', countedFor(null, request.ip));
        const { token } = request.query as { token?: unknown };
        if (typeof token !== 'string') throw unknownToken();
        const from = { caller: null, requestId: request.id, hashAddress: () => signer.hashAddress(request.ip) };
        await endMails({ db, signer }, token, causeOf('public', from));
        return reply.code(204).send();
      },
    });
  };
