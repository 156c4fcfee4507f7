import { sql } from 'kysely';
import type { Scope } from '../../contract/endpoint.ts';
import { scopes as allScopes } from '../../contract/developer/keys.ts';
import { cliClientId, issuerPath } from '../../contract/developer/oauth.ts';
import { cleanDeviceCode } from '../../contract/typed.ts';
import type { Db, Trx } from '../db/pool.ts';
import { readId, showId } from '../lib/id.ts';
import type { Signer } from '../lib/signer.ts';
import { deviceCodeGrant } from './metadata.ts';
import { refreshScope, askedScope, type Provider } from './terms.ts';
import { type Form, type FormAnswer, oauthError, resourcesOf } from './form.ts';

/** A program without a browser that waits for a person. */
export type Device = { id: string; clientId: string; scopes: Scope[]; expiresAt: Date };

type Row = { id: string; client_id: string; scope: string | null; expires_at: Date };

const showDevice = ({ id, client_id, scope, expires_at }: Row): Device => ({
  id,
  clientId: client_id,
  scopes: allScopes.filter((name) => (scope ?? '').split(' ').includes(name)),
  expiresAt: expires_at,
});

/** By the code that it shows, in any writing. Null once it was decided, or is over. */
export async function findDevice(db: Db, text: string): Promise<Device | null> {
  const { rows } = await sql<Row>`
    select id, client_id, scope, expires_at from oauth_device_codes
    where user_code = ${cleanDeviceCode(text)} and status = 'pending' and grant_id is null and expires_at > now()`.execute(
    db,
  );
  return rows[0] ? showDevice(rows[0]) : null;
}

/** Locks it, so that it is decided once. */
export async function lockDevice(trx: Trx, id: string): Promise<Device | null> {
  const { rows } = await sql<Row>`
    select id, client_id, scope, expires_at from oauth_device_codes
    where id = ${id} and status = 'pending' and grant_id is null and expires_at > now() for update`.execute(trx);
  return rows[0] ? showDevice(rows[0]) : null;
}

export const denyDevice = (trx: Trx, { id }: Device) =>
  trx.updateTable('oauth_device_codes').set({ status: 'denied' }).where('id', '=', id).execute();

type Approved = { userId: string; grantId: string; scopes: readonly Scope[] };

export const approveDevice = (trx: Trx, { id }: Device, { userId, grantId, scopes }: Approved) =>
  trx
    .updateTable('oauth_device_codes')
    .set({ status: 'approved', user_id: userId, grant_id: grantId, scope: [...scopes, refreshScope].join(' ') })
    .where('id', '=', id)
    .execute();

const purpose = 'device request';

/** The person who entered the code decides with this; the address of the page alone is not enough. */
export function writeDevice(signer: Signer, { id }: Device, userId: string): string {
  const shown = showId('req', id);
  return `${shown}.${signer.sign(purpose, `${shown} ${userId}`)}`;
}

/** The id of the waiting program. Null for another text, or that of another person. */
export function readDeviceToken(signer: Signer, token: string, userId: string): string | null {
  const [shown = '', mac = '', ...rest] = token.split('.');
  const id = readId('req', shown);
  return rest.length === 0 && id !== null && signer.verify(purpose, `${shown} ${userId}`, mac) ? id : null;
}

/** Made when it is first used. It has no redirect, so nothing but a code on a terminal lets it in. */
export const ensureCli = (db: Db) =>
  db
    .insertInto('oauth_clients')
    .values({
      client_id: cliClientId,
      name: 'Atelier CLI',
      redirect_uris: JSON.stringify([]),
      grant_types: JSON.stringify([deviceCodeGrant, 'refresh_token']),
      response_types: JSON.stringify([]),
      scopes: JSON.stringify([...allScopes, refreshScope]),
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    })
    .onConflict((conflict) => conflict.column('client_id').doNothing())
    .execute();

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
