import type { FastifyInstance, FastifyRequest } from 'fastify';
import { page } from '../lib/html.ts';
import { Refusal } from '../http/refusal.ts';
import type { Auth } from './auth.ts';
import { verificationPath } from './emails.ts';
import { verifyAddress } from './verify-email.ts';

type Followed = FastifyRequest<{ Querystring: { token?: unknown } }>;

/** The page that the link of the mail leads to, outside the API document: what `verifyEmail` does, said to a person. */
export const verificationPage =
  (auth: Auth) =>
  async (app: FastifyInstance): Promise<void> => {
    app.get(verificationPath, async ({ query: { token } }: Followed, reply) => {
      try {
        await verifyAddress(auth, typeof token === 'string' ? token : '');
      } catch (error) {
        if (!(error instanceof Refusal) || error.status !== 400) throw error;
        const words = `<p>It works for an hour, and only as it stands in the mail. Sign in and ask for a new one:
<code>POST /api/auth/send-verification-email</code>.</p>`;
        return page(reply.code(400), 'This link does not work any more', words);
      }
      return page(reply, 'Your e-mail address is verified', '<p>Thank you. You can close this page.</p>');
    });
  };
