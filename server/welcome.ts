import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keptSecret } from './config.ts';
import type { House } from './house.ts';

type Answer = Record<string, unknown>;

/** Asks the service itself over HTTP, as any caller would: the demo account comes to be by no back door. */
async function ask(
  origin: string,
  method: string,
  path: string,
  token?: string,
  body?: unknown,
): Promise<Answer | null> {
  const response = await fetch(origin + path, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.ok ? ((await response.json()) as Answer) : null;
}

/** The session of the demo account: signed in, or signed up at the first start. */
async function demoSession(origin: string, dataDir: string): Promise<string> {
  const demo = { email: 'demo@atelier.localhost', password: keptSecret(dataDir, 'demo-password') };
  const session =
    (await ask(origin, 'POST', '/api/auth/sign-in/email', undefined, demo)) ??
    (await ask(origin, 'POST', '/api/auth/sign-up/email', undefined, { name: 'Demo Studio Customer', ...demo }));
  if (!session) throw new Error('The demo account could not be opened.');
  return session.token as string;
}

/** Has the demo account hold a plan, through checkout and the signed event that paying at the sandbox sends. */
async function ensurePlan(origin: string, token: string): Promise<void> {
  const me = await ask(origin, 'GET', '/api/v1/me', token);
  if ((me?.entitlement_summary as { api_access: boolean }).api_access) return;
  const started = await ask(origin, 'POST', '/api/checkout/tier', token, { tier: 'studio' });
  const { url } = started?.checkout as { url: string };
  const paid = await fetch(new URL(`${new URL(url).pathname}/pay`, origin), { method: 'POST', redirect: 'manual' });
  if (paid.status >= 400) throw new Error(`Paying at the sandbox answered ${paid.status}.`);
}

/** A working key of the demo account, kept under DATA_DIR at mode 600 so that the next start shows the same. */
async function demoKey(origin: string, dataDir: string): Promise<string> {
  const file = join(dataDir, 'demo-key');
  const kept = await readFile(file, 'utf8').catch(() => '');
  const session = await demoSession(origin, dataDir);
  await ensurePlan(origin, session);
  if (kept !== '' && (await ask(origin, 'GET', '/api/v1/me', kept))) return kept;
  const made = await ask(origin, 'POST', '/api/v1/api-keys', session, { name: 'demo key' });
  const key = made?.plaintext_key as string;
  await writeFile(file, key, { mode: 0o600 });
  await chmod(file, 0o600);
  return key;
}

const curl = (url: string, key: string) => `curl -sS ${url}/api/v1/jobs \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -H "Idempotency-Key: first-job-$(date +%s)" \\
  -d '{
    "service_family": "design",
    "service_type": "logo",
    "customer_title": "Logo for a neighbourhood bakery",
    "customer_instructions": "Brand name: Rise Bakery. Target audience: families within two miles."
  }'`;

type Shown = {
  embedded: boolean;
  operator: { email: string; password: string } | null;
  say: (line: string) => void;
};

/** What the start shows outside production: where things are, who may sign in, and one command that creates a job. */
export async function welcome(house: House, { embedded, operator, say }: Shown): Promise<void> {
  const { config, publicUrl } = house;
  say(`\nAtelier is listening at ${publicUrl}`);
  say(`  API reference   ${publicUrl}/docs`);
  if (operator)
    say(`  Operator        ${operator.email}  ${config.operator ? '(OPERATOR_PASSWORD)' : operator.password}`);
  if (!embedded) return;
  const origin = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port}`;
  const key = await demoKey(origin, config.dataDir);
  say(`  Data            ${config.dataDir}`);
  say(`\nThe demo account holds the plan studio. Create a job with its key:\n\n${curl(publicUrl, key)}\n`);
}
