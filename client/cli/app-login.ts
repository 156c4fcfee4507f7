import { setTimeout as sleep } from 'node:timers/promises';
import { AtelierError, throwUnreachable } from '../error.ts';
import { IdentityError, type Io } from './command.ts';
import { printMessage } from './terminal.ts';

/** What a profile keeps after a login by the browser. */
export type AppLogin = { key: string; refresh: string; expires: number };

type Answer = { status: number; body: Record<string, unknown> };

const clientId = 'atelier-cli';
const grant = 'urn:ietf:params:oauth:grant-type:device_code';

async function post(url: string, path: string, form: Record<string, string>): Promise<Answer> {
  const body = new URLSearchParams({ client_id: clientId, ...form });
  const answer = await fetch(`${url}/api/auth${path}`, { method: 'POST', body }).catch(throwUnreachable);
  return { status: answer.status, body: (await answer.json().catch(() => ({}))) as Record<string, unknown> };
}

const loginOf = ({ access_token, refresh_token, expires_in }: Record<string, unknown>): AppLogin => ({
  key: String(access_token),
  refresh: String(refresh_token),
  expires: Date.now() + Number(expires_in) * 1000,
});

/** Shows a code, and waits until a person allows it in the browser. */
export async function loginByBrowser(io: Io, url: string): Promise<AppLogin> {
  const { status, body } = await post(url, '/device/code', { scope: 'api:read api:write' });
  if (status !== 200) throw new IdentityError(`${url} does not offer a login by the browser.`, 'Run: atelier login --key, with an API key');
  printMessage(io, `Open ${String(body['verification_uri_complete'])} and compare the code: ${inHalves(String(body['user_code']))}`);
  printMessage(io, `Waiting for ten minutes. To use an API key instead, run: atelier login --key`);
  const until = Date.now() + Number(body['expires_in']) * 1000;
  for (let wait = Number(body['interval']) * 1000; Date.now() < until; ) {
    await sleep(wait);
    const answer = await post(url, '/oauth2/token', { grant_type: grant, device_code: String(body['device_code']) });
    if (answer.status === 200) return loginOf(answer.body);
    const { error } = answer.body;
    if (error === 'slow_down') wait += 1000;
    else if (error !== 'authorization_pending') break;
  }
  throw new IdentityError('The login was denied, or its code ended.', 'Run: atelier login');
}

/** `KFVZ-BXXT` is easier to compare. The page takes it with and without the dash. */
const inHalves = (code: string): string => code.replace(/^(\w{4})(\w{4})$/, '$1-$2');

const busy = {
  code: 'service_unavailable',
  message: 'The service could not renew the login now.',
  action: 'Try again in a moment.',
} as const;

/** Null if the access was ended. One program at a time calls this, so that all of them keep the same pair. */
export async function refreshLogin(url: string, refresh: string): Promise<AppLogin | null> {
  const { status, body } = await post(url, '/oauth2/token', { grant_type: 'refresh_token', refresh_token: refresh });
  if (status === 429 || status >= 500) throw new AtelierError(status, busy);
  return status === 200 ? loginOf(body) : null;
}

/** Ends the access of a login. */
export const endLogin = (url: string, refresh: string): Promise<unknown> =>
  post(url, '/oauth2/revoke', { token: refresh }).catch(() => {});
