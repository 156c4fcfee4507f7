import { sql } from 'kysely';
import type { AnswerOf } from '../../../contract/endpoint.ts';
import type { countMoney as endpoint } from '../../../contract/desk/money.ts';
import { needsLook } from '../../billing/list-provider-events.ts';
import type { Db } from '../../db/pool.ts';
import { countTroubledAccounts } from './troubled-accounts.ts';

type Dependencies = { db: Db; graceHours: number };
export type MoneyCounts = AnswerOf<typeof endpoint>['body']['counts'];

export const countMoney = async (dependencies: Dependencies): Promise<AnswerOf<typeof endpoint>> => ({
  status: 200,
  body: { counts: await moneyCounts(dependencies) },
});

export async function moneyCounts({ db, graceHours }: Dependencies): Promise<MoneyCounts> {
  const { rows } = await sql<{ events: number }>`
    select count(*)::int as events from provider_events e where ${needsLook}`.execute(db);
  return { events: rows[0]?.events ?? 0, accounts: await countTroubledAccounts(db, graceHours) };
}
