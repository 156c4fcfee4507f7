import type { Db } from '../db/pool.ts';
import { transact } from '../db/transact.ts';
import { type Form, type FormAnswer, oauthError } from './form.ts';
import { endGrantOf, findToken } from './stored-token.ts';

/** RFC 7009: any token of a grant ends the whole of it. An unknown token is answered like a known one. */
export async function revokeToken({ db }: { db: Db }, form: Form, { id }: { id: string }): Promise<FormAnswer> {
  const [token, clientId] = [form.get('token'), form.get('client_id')];
  if (!token || !clientId) return oauthError('invalid_request', 'token and client_id are required.');
  const stored = await findToken(db, token);
  if (stored?.client_id === clientId) await transact(db, (trx) => endGrantOf(trx, stored, id));
  return { status: 200, body: {} };
}
