import type { readDevice as endpoint } from '../../contract/developer/connected-apps.ts';
import type { Db } from '../db/pool.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import { badRequest } from '../http/refusal.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import type { Signer } from '../lib/signer.ts';
import { showAsked } from './show-asked.ts';
import { findClientName } from './client.ts';
import { findDevice, writeDevice } from './device.ts';

type Dependencies = { db: Db; rates: RateLimiter<'enter_device_code'>; signer: Signer };

export async function readDevice(
  { db, rates, signer }: Dependencies,
  { caller: { userId }, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  await rates.spend('enter_device_code', { person: userId });
  const device = await findDevice(db, query.code);
  const name = device && (await findClientName(db, device.clientId));
  if (!device || name === null) throw badRequest('code', 'is not the code of a program that waits');
  const { clientId, scopes, expiresAt } = device;
  const request = writeDevice(signer, device, userId);
  const shown = { request, clientId, name, redirectHost: null, scopes, expiresAt };
  return { status: 200, body: await showAsked(db, userId, shown) };
}
