import type { Actor } from '../../contract/moves.ts';
import { newRequestId } from '../lib/id.ts';

/** Who caused a change and by which request. The credential and address are only for the audit. */
export type Cause = {
  actor: Actor;
  requestId: string;
  userId: string | null;
  apiKeyId: string | null;
  workerKeyId: string | null;
  /** A keyed hash, so that addresses can be compared but not read. Computed when it is read. */
  readonly addressHash: string | null;
};

/** The cause of changes that the service makes on its own. */
export const byService = (requestId = newRequestId()): Cause => ({
  actor: 'service',
  requestId,
  userId: null,
  apiKeyId: null,
  workerKeyId: null,
  addressHash: null,
});
