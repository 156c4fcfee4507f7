import { badRequest } from '../http/refusal.ts';
import type { Signer } from '../lib/signer.ts';

/** Where a page ended: time and id of its last row. */
export type Position = { at: Date; id: string };

/** What a cursor belongs to: list, reader and filters. Any other list refuses it. */
type Scope = readonly unknown[];

const text = (scope: Scope, position: string) => JSON.stringify([scope, position]);

function writeCursor(signer: Signer, scope: Scope, { at, id }: Position): string {
  const position = Buffer.from(`${at.getTime()}/${id}`).toString('base64url');
  return `${position}.${signer.sign('cursor', text(scope, position))}`;
}

/** Where the page begins; null for the first page. Refuses cursors of other lists. */
export function readCursor(signer: Signer, scope: Scope, cursor: string | undefined): Position | null {
  if (cursor === undefined) return null;
  const [position = '', mac = ''] = cursor.split('.');
  if (!signer.verify('cursor', text(scope, position), mac) || `${position}.${mac}` !== cursor)
    throw badRequest('cursor', 'is not a cursor of this list with these filters');
  const [time, id = ''] = Buffer.from(position, 'base64url').toString().split('/');
  return { at: new Date(Number(time)), id };
}

/** Cuts a page from a query that asked for one row more. The extra row means that there is a next page. */
export function cutPage<Row>(
  signer: Signer,
  scope: Scope,
  rows: readonly Row[],
  limit: number,
  positionOf: (row: Row) => Position,
): { page: Row[]; next_cursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, next_cursor: rows.length > limit && last ? writeCursor(signer, scope, positionOf(last)) : null };
}

/** The position of a row in a list by creation. */
export const byCreation = ({ created_at, id }: { created_at: Date; id: string }): Position => ({ at: created_at, id });
