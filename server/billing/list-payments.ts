import { sql } from 'kysely';
import type { listPayments as endpoint } from '../../contract/desk/money.ts';
import { cutPage, readCursor } from '../db/cursor.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import type { Signer } from '../lib/signer.ts';
import { paymentsOf, readMonth, showPayment } from './payment.ts';
import type { Provider } from './provider.ts';

export async function listPayments(
  { db, provider, signer }: { db: Db; provider: Provider; signer: Signer },
  { query: { month, cursor, limit = 25 } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { start, end } = await readMonth(db, month);
  const scope = ['listPayments', month];
  const from = readCursor(signer, scope, cursor);
  const chosen = sql`y.livemode = ${provider.livemode} and y.happened_at >= ${start} and y.happened_at < ${end}
    and ${from === null ? sql`true` : sql`(y.happened_at, y.id) < (${from.at}, ${from.id})`}`;
  const { page, next_cursor } = cutPage(
    signer,
    scope,
    await paymentsOf(db, chosen, limit + 1),
    limit,
    ({ happened_at, id }) => ({ at: happened_at, id }),
  );
  return { status: 200, body: { payments: page.map((row) => showPayment(provider, row)), next_cursor } };
}
