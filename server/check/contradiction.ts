import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../db/pool.ts';
import { type Prefix, showId } from '../lib/id.ts';

/** A rule that rows of several tables obey together. */
export type Check = {
  rule: string;
  /** What it means when the rule is broken, and what to do. */
  meaning: string;
  /** What `subject` identifies; null for text that is shown as it is. */
  subject: Prefix | null;
  /** Selects `account_id`, `subject` and `fault` of the rows that break the rule. */
  contradictions: RawBuilder<unknown>;
};

export type Example = { account_id: string | null; subject: string; fault: string };

/** A broken rule, with as many examples as somebody can read. */
export type Contradiction = { rule: string; meaning: string; total: number; examples: Example[] };

export const mostExamples = 100;

export const contradictionOf = (
  { rule, meaning }: Pick<Check, 'rule' | 'meaning'>,
  total: number,
  examples: readonly Example[],
): Contradiction[] => (total === 0 ? [] : [{ rule, meaning, total, examples: examples.slice(0, mostExamples) }]);

export async function findContradictions(trx: Trx, check: Check): Promise<Contradiction[]> {
  const { rows } = await sql<Example & { total: number }>`
    select account_id, subject::text as subject, fault, (count(*) over ())::int as total
    from (${check.contradictions}) broken
    order by account_id, subject limit ${mostExamples}`.execute(trx);
  const examples = rows.map(({ account_id, subject, fault }) => ({
    account_id: account_id && showId('acct', account_id),
    subject: check.subject === null ? subject : showId(check.subject, subject),
    fault,
  }));
  return contradictionOf(check, rows[0]?.total ?? 0, examples);
}
