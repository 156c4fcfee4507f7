import { badRequest } from '../http/refusal.ts';
import type { Signer } from '../lib/signer.ts';

/** Where a page ended: the time and id of its last row. */
export type Position = { at: Date; id: string };

/** What a cursor belongs to: the list, who reads it, and its filters. In any other list it is refused. */
type Scope = readonly unknown[];

const text = (scope: Scope, position: string) => JSON.stringify([scope, position]);

export function writeCursor(signer: Signer, scope: Scope, { at, id }: Position): string {
  const position = Buffer.from(`${at.getTime()}/${id}`).toString('base64url');
  return `${position}.${signer.sign('cursor', text(scope, position))}`;
}

/** Where the page begins; null for the first one. A cursor that is not of this list is refused. */
export function readCursor(signer: Signer, scope: Scope, cursor: string | undefined): Position | null {
  if (cursor === undefined) return null;
  const [position = '', mac = ''] = cursor.split('.');
  if (!signer.verify('cursor', text(scope, position), mac) || `${position}.${mac}` !== cursor)
    throw badRequest('cursor', 'is not a cursor of this list with these filters');
  const [time, id = ''] = Buffer.from(position, 'base64url').toString().split('/');
  return { at: new Date(Number(time)), id };
}

/** A query asks for one row more than the page; the extra row tells that there is a next page. */
export function cutPage<Row>(
  rows: Row[],
  limit: number,
  cursorOf: (last: Row) => string,
): { page: Row[]; next_cursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, next_cursor: rows.length > limit && last ? cursorOf(last) : null };
}
