import type { createJobArchive as endpoint } from '../../../contract/files/archives.ts';
import { transact } from '../../db/pool.ts';
import { type ArchiveParts, signArchive } from '../../files/archive.ts';
import { noteArchive } from '../../files/note-download.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { lockForDesk } from './lease.ts';

export async function createJobArchive(
  parts: ArchiveParts,
  { caller, params, body, cause }: Pick<Request<typeof endpoint>, 'caller' | 'params' | 'body' | 'cause'>,
): Promise<AnswerOf<typeof endpoint>> {
  const holder =
    caller.method === 'session'
      ? ({ holder: 'operator', holderId: caller.userId } as const)
      : ({ holder: 'worker', holderId: caller.keyId } as const);
  const archive = await transact(parts.db, async (trx) => {
    const job = await lockForDesk(trx, caller, params.id, body.lease_token);
    const of = { ...holder, accountId: job.account_id, jobIds: [job.id], round: body.round ?? null };
    const signed = await signArchive({ ...parts, db: trx }, of);
    await noteArchive(trx, cause, job, signed.files);
    return signed;
  });
  return { status: 200, body: archive };
}
