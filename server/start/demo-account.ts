import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { keptSecret, typablePassword } from './kept-secret.ts';

type RequestInput = { method?: 'GET' | 'POST'; token?: string; body?: unknown };

/** A slow start may answer 503; such requests had no effect and can be repeated. */
async function fetchWhenReady(url: string, init: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(url, init);
    if (response.status !== 503 || tries === 5) return response;
    await wait(1_000 * Number(response.headers.get('retry-after') ?? 1));
  }
}

/** Sends a request to this service over HTTP: the demo account uses no back door. Null for a refusal. */
async function request<Answer>(
  origin: string,
  path: string,
  { method = 'POST', token, body }: RequestInput,
): Promise<Answer | null> {
  const response = await fetchWhenReady(origin + path, {
    method,
    headers: {
      accept: 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.ok ? ((await response.json()) as Answer) : null;
}

function must<Answer>(answer: Answer | null, what: string): Answer {
  if (answer === null) throw new Error(`The demo account could not ${what}; see the log.`);
  return answer;
}

export const demoPerson = (dataDir: string) => ({
  email: 'demo@atelier.localhost',
  password: keptSecret(dataDir, 'demo-password', typablePassword),
});

type Session = { token: string; user: { email: string; email_verified: boolean } };

async function openSession(origin: string, dataDir: string): Promise<string> {
  const demo = demoPerson(dataDir);
  const session =
    (await request<Session>(origin, '/api/auth/sign-in/email', { body: demo })) ??
    (await request<Session>(origin, '/api/auth/sign-up/email', { body: { name: 'Demo customer', ...demo } }));
  const { token, user } = must(session, 'sign up');
  if (!user.email_verified) await verifyAddress(origin, token, user.email);
  return token;
}

type Mails = { mails: { to: string; text: string }[] };

/** Verifies the address with the token from the sandbox's mailbox, as any developer would. */
async function verifyAddress(origin: string, token: string, email: string): Promise<void> {
  for (let tries = 0; tries < 60; tries++) {
    // The mail of the sign-up is on its way. That of an earlier start may have expired.
    if (tries === 30) await request(origin, '/api/auth/send-verification-email', { token });
    const { mails } = must(await request<Mails>(origin, '/sandbox/mail', { method: 'GET' }), 'read its mail');
    for (const { text } of mails.filter(({ to }) => to === email)) {
      const mailed = /verify-email\?token=(\S+)/.exec(text)?.[1];
      if (await request(origin, '/api/auth/verify-email', { token, body: { token: mailed } })) return;
    }
    await wait(50);
  }
  throw new Error('The demo account could not verify its address; see the log.');
}

type Me = { entitlement_summary: { api_access: boolean } };
type Checkout = { checkout: { url: string } };

/** Buys a plan by checkout and the sandbox's signed payment event. */
async function ensurePlan(origin: string, token: string): Promise<void> {
  const me = await request<Me>(origin, '/api/v1/me', { method: 'GET', token });
  if (must(me, 'read who it is').entitlement_summary.api_access) return;
  const started = await request<Checkout>(origin, '/api/checkout/tier', { token, body: { plan_code: 'studio' } });
  const page = new URL(must(started, 'start a checkout').checkout.url).pathname;
  const paid = await fetchWhenReady(`${origin}${page}/pay`, { method: 'POST', redirect: 'manual' });
  if (paid.status >= 400) throw new Error(`Paying at the sandbox answered ${paid.status}.`);
}

/** Stored under `dataDir` with mode 600, so that the next start shows the same key. */
export async function demoKey(origin: string, dataDir: string): Promise<string> {
  const file = join(dataDir, 'demo-key');
  const token = await openSession(origin, dataDir);
  await ensurePlan(origin, token);
  const storedKey = await readFile(file, 'utf8').catch(() => null);
  if (storedKey !== null && (await request(origin, '/api/v1/me', { method: 'GET', token: storedKey })))
    return storedKey;
  const made = await request<{ plaintext_key: string }>(origin, '/api/v1/api-keys', {
    token,
    body: { name: 'demo key' },
  });
  const key = must(made, 'make a key').plaintext_key;
  await writeFile(file, key, { mode: 0o600 });
  await chmod(file, 0o600);
  return key;
}
