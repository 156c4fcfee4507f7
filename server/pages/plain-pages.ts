import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptInvitation } from '../../contract/accounts.ts';
import { resetPassword, verifyEmail } from '../../contract/people.ts';
import { page, text } from '../lib/html.ts';

type Page = FastifyRequest<{ Querystring: { token?: unknown }; Params: { id: string }; Body: URLSearchParams }>;

const field = (label: string, name: string, rest: string) =>
  `<p><label>${label}<br><input name="${name}" ${rest}></label></p>`;
const form = (body: string, button: string) => `<form method="post">${body}<button>${button}</button></form>`;
const hidden = (token: unknown) =>
  `<input type="hidden" name="token" value="${text(typeof token === 'string' ? token : '')}">`;

/**
 * The pages that links of mails lead to. Opening one changes nothing, so a scanner that fetches links does no harm: its
 * button sends what any caller would send to the API, with the caller's own cookie.
 */
export async function plainPages(app: FastifyInstance): Promise<void> {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16 * 1024 },
    (_request, body, done) => done(null, new URLSearchParams(body.toString())),
  );

  app.get('/verify-email', async ({ query }: Page, reply) =>
    page(
      reply,
      'Verify your e-mail address',
      form(
        hidden(query.token) +
          field(
            'Your password, if you signed up in another browser',
            'password',
            'type="password" autocomplete="current-password"',
          ),
        'This address is mine',
      ),
    ),
  );
  app.post('/verify-email', async (request: Page, reply) => {
    const [token, password] = [request.body.get('token'), request.body.get('password')];
    const body = { token, ...(password ? { password } : {}) };
    return answer(app, request, reply, { path: verifyEmail.path, body, done: 'Your e-mail address is verified' });
  });

  app.get('/reset-password', async ({ query }: Page, reply) =>
    page(
      reply,
      'Choose a new password',
      form(
        hidden(query.token) +
          field('New password', 'new_password', 'type="password" minlength="10" required autocomplete="new-password"'),
        'Set the password',
      ),
    ),
  );
  app.post('/reset-password', async (request: Page, reply) => {
    const body = { token: request.body.get('token'), new_password: request.body.get('new_password') };
    return answer(app, request, reply, { path: resetPassword.path, body, done: 'Your password is changed' });
  });

  app.get('/invitations/:id', async (_request: Page, reply) =>
    page(
      reply,
      'You are invited',
      `<p>Sign in with the invited address in this browser first, then join the account.</p>${form('', 'Join')}`,
    ),
  );
  app.post('/invitations/:id', async (request: Page, reply) => {
    const path = acceptInvitation.path.replace('{id}', encodeURIComponent(request.params.id));
    return answer(app, request, reply, { path, body: {}, done: 'You have joined the account' });
  });
}

type Sent = { path: string; body: object; done: string };

async function answer(app: FastifyInstance, request: Page, reply: FastifyReply, { path, body, done }: Sent) {
  const { host, cookie, origin, 'sec-fetch-site': site, 'user-agent': agent } = request.headers;
  const headers = Object.fromEntries(
    Object.entries({ host, cookie, origin, 'sec-fetch-site': site, 'user-agent': agent }).filter(([, value]) => value),
  );
  const sent = { method: 'POST' as const, url: path, payload: body, headers, remoteAddress: request.ip };
  const { statusCode, body: answered } = await app.inject(sent);
  if (statusCode === 200) return page(reply, done, '<p>Thank you. You can close this page.</p>');
  const { message, action } = (JSON.parse(answered) as { error: { message: string; action: string } }).error;
  return page(reply.code(statusCode), 'This did not work', `<p>${text(message)}</p><p>${text(action)}</p>`);
}
