import { sql } from 'kysely';
import { macroPlaceholders, unknownPlaceholders } from '../../contract/desk/macro-text.ts';
import type { Trx } from '../db/pool.ts';
import { badBody, Refusal } from '../http/refusal.ts';
import { readId, showId } from '../lib/id.ts';

export type MacroRow = {
  id: string;
  name: string;
  text: string;
  created_by: string;
  creator_name: string;
  created_at: Date;
  updated_at: Date;
};

export const macros = sql`
  select m.*, u.name as creator_name from macros m join people u on u.id = m.created_by`;

export const showMacro = ({ id, name, text, created_by, creator_name, created_at, updated_at }: MacroRow) => ({
  id: showId('mac', id),
  name,
  text,
  created_by: { kind: 'user' as const, id: showId('user', created_by), name: creator_name },
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
});

/** Locks out other changes, because the number of macros and their names are checked over all of them. */
export async function lockMacros(trx: Trx): Promise<void> {
  await sql`lock table macros in share row exclusive mode`.execute(trx);
}

export async function macroNamed(trx: Trx, id: string): Promise<MacroRow> {
  const { rows } = await sql<MacroRow>`${macros} where m.id = ${readId('mac', id)}`.execute(trx);
  if (!rows[0]) throw new Refusal('macro_not_found');
  return rows[0];
}

export function refuseUnknownPlaceholders(text: string): void {
  const unknown = unknownPlaceholders(text);
  if (unknown.length === 0) return;
  const names = Object.keys(macroPlaceholders).map((name) => `{${name}}`);
  const message = `must not have ${unknown.slice(0, 10).join(', ')}: the placeholders are ${names.join(', ')}`;
  throw badBody([{ location: '/text', message }]);
}

export async function refuseTakenName(trx: Trx, name: string, own: string | null): Promise<void> {
  const { rows } = await sql`
    select from macros where lower(name) = lower(${name}) and id is distinct from ${own}`.execute(trx);
  if (rows.length > 0) throw badBody([{ location: '/name', message: 'is the name of another macro' }]);
}
