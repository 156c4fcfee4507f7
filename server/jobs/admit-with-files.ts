import type { Db, Trx } from '../db/pool.ts';
import { type AccessKind, admit, type Final, settle } from './admission.ts';
import type { Candidate } from './candidate.ts';
import { attachFiles, freeFiles } from './job-file.ts';

/** Admission of one draft in the transaction of its caller, to which more belongs than a job. */
export const admitOne = (trx: Trx, kind: AccessKind, graceHours: number, draft: Candidate): Promise<Final> =>
  settle(trx, draft, async () => (await admit(trx, kind, graceHours, [draft]))[0]);

/** Admits a draft together with the files that it names: all or nothing. A replay attaches nothing again. */
export const admitWithFiles = (
  db: Db,
  kind: AccessKind,
  graceHours: number,
  draft: Candidate,
  fileIds: readonly string[],
): Promise<Final> =>
  db.transaction().execute(async (trx) => {
    const settled = await admitOne(trx, kind, graceHours, draft);
    if (settled.verdict === 'replayed' || settled.verdict === 'idempotency_key_conflict') return settled;
    // What the request names is judged before plan and quota, in whose words it would be refused otherwise.
    const files = await freeFiles(trx, draft.account_id, fileIds);
    if (settled.verdict === 'admitted')
      await attachFiles(trx, { account_id: draft.account_id, id: draft.job_id }, files, {
        actor: 'customer',
        requestId: draft.request_id,
      });
    return settled;
  });
