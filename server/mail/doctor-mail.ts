import { deskPages } from '../../contract/pages.ts';
import type { Db } from '../db/pool.ts';
import { count } from '../lib/words.ts';
import { type MailKind, patience } from './letter.ts';

/** Lines of doctor, one per line of text. `unchanged`: the number of problems that were there before. */
type Changes = { userId: string; data: { appeared: string; solved: string; unchanged: number } };

const linesOf = (text: string) => text.split('\n').filter(Boolean);

/** What `doctor --daily` found that was otherwise the day before. Null if the person is no owner any more. */
export const doctorChanges: MailKind<Changes> = {
  hours: patience,
  counted: false,
  async compose(db, { userId, data }, studio) {
    const to = await ownerAddress(db, userId);
    if (to === null) return null;
    const [appeared, solved] = [linesOf(data.appeared), linesOf(data.solved)];
    const changes = [
      ...(appeared.length > 0 ? [count(appeared.length, 'new problem')] : []),
      ...(solved.length > 0 ? [`${solved.length} solved`] : []),
    ];
    return {
      to,
      subject: `${studio.name}: ${changes.join(', ')}`,
      body: [
        ...(appeared.length > 0 ? ['New:', ...appeared] : []),
        ...(solved.length > 0 ? ['Solved:', ...solved] : []),
        ...(data.unchanged > 0 ? [`Problems as before: ${data.unchanged}.`] : []),
        { path: deskPages.health, button: 'Look at the installation' },
      ],
    };
  },
};

async function ownerAddress(db: Db, userId: string): Promise<string | null> {
  const owner = await db
    .selectFrom('people')
    .select('email')
    .where('id', '=', userId)
    .where('operator_role', '=', 'owner')
    .executeTakeFirst();
  return owner?.email ?? null;
}
