import { issuerPath, cliClientId } from '../../contract/developer/oauth.ts';
import type { Db } from '../db/pool.ts';
import { ensureCli } from './device.ts';
import { type Form, type FormAnswer, oauthError, resourcesOf } from './form.ts';
import { askedScope, type Provider } from './terms.ts';

type Dependencies = { db: Db; provider: Provider; publicUrl: string };

/** RFC 8628, for the command line: a code to show, and one to come back with. */
export async function beginDevice({ db, provider, publicUrl }: Dependencies, form: Form): Promise<FormAnswer> {
  if (form.get('client_id') !== cliClientId)
    return oauthError('unauthorized_client', 'Only the command line of this service can ask by a code.', 401);
  await ensureCli(db);
  const sent = new URLSearchParams({ client_id: cliClientId, scope: askedScope(form.get('scope')) });
  for (const resource of resourcesOf(publicUrl, form)) sent.append('resource', resource);
  const answer = await provider(
    new Request(`${publicUrl}${issuerPath}/device/code`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: sent.toString(),
    }),
  );
  const body: unknown = await answer.json().catch(() => null);
  if (typeof body !== 'object' || body === null) return oauthError('server_error', 'Try again.', 503);
  return { status: answer.status, body };
}
