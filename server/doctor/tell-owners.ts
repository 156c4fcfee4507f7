import { type Db, transact } from '../db/pool.ts';
import { queueMail } from '../mail/outbox.ts';
import { type Changes, compare } from './compare.ts';
import { readNewest, storeDaily } from './examination.ts';
import type { Line } from './run-checks.ts';

type Mailed = { appeared: number; solved: number; owners: number };

/** Stores the examination of the day and mails each owner of the studio what changed since the one before. */
export async function tellOwners(db: Db, findings: readonly Line[]): Promise<Mailed> {
  const before = await readNewest(db, { dailyOnly: true });
  const changes = compare(before?.findings ?? [], findings);
  const { appeared, solved } = changes;
  const isTold = appeared.length + solved.length > 0;
  const owners = isTold ? await ownersOf(db) : [];
  await transact(db, async (trx) => {
    await storeDaily(trx, findings);
    for (const userId of owners) await queueMail(trx, { kind: 'doctor_changes', userId, data: wordsOf(changes) });
  });
  return { appeared: appeared.length, solved: solved.length, owners: owners.length };
}

const ownersOf = async (db: Db): Promise<string[]> =>
  (await db.selectFrom('people').select('id').where('operator_role', '=', 'owner').execute()).map(({ id }) => id);

const wordsOf = ({ appeared, solved, unchanged }: Changes) => ({
  appeared: appeared
    .map(({ check, status, sentence, action }) =>
      oneLine(
        `${status === 'fail' ? 'Broken' : 'Look at'}: ${check}: ${sentence}${action === null ? '' : ` → ${action}`}`,
      ),
    )
    .join('\n'),
  solved: solved.map(({ check, sentence }) => oneLine(`${check}: ${sentence}`)).join('\n'),
  unchanged,
});

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ');
