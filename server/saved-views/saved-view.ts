import { type RawBuilder, sql } from 'kysely';
import { holdersOf, may } from '../../contract/desk/operator-roles.ts';
import type { createSavedView } from '../../contract/desk/saved-views.ts';
import { type Catalog, refuseUnknownFamily } from '../catalog/catalog.ts';
import type { Trx } from '../db/pool.ts';
import { readQueueFilter, timeZoneOf } from '../desk/queue/queue-filter.ts';
import { badBody, Refusal } from '../http/refusal.ts';
import type { Operator, Request } from '../http/request.ts';
import { readId, showId } from '../lib/id.ts';

export type NewView = Request<typeof createSavedView>['body'];

export type SavedViewRow = {
  id: string;
  name: string;
  shared: boolean;
  filter: NewView['filter'];
  created_by: string;
  creator_name: string;
  created_at: Date;
  updated_at: Date;
};

/** Those that an operator sees. */
export const savedViewsOf = (userId: string): RawBuilder<SavedViewRow> => sql<SavedViewRow>`
  select v.*, u.name as creator_name from saved_views v join people u on u.id = v.created_by
  where (v.created_by = ${userId} or v.shared)`;

export const showSavedView = ({ id, name, shared, filter, ...row }: SavedViewRow) => ({
  id: showId('view', id),
  name,
  shared,
  filter,
  created_by: { kind: 'user' as const, id: showId('user', row.created_by), name: row.creator_name },
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** A view that the caller may change, locked. Others' private ones look as if they did not exist. */
export async function lockSavedView(trx: Trx, caller: Operator, id: string): Promise<SavedViewRow> {
  const { rows } = await sql<SavedViewRow>`
    ${savedViewsOf(caller.userId)} and v.id = ${readId('view', id)} for update of v`.execute(trx);
  const [view] = rows;
  if (!view) throw new Refusal('saved_view_not_found');
  if (view.created_by !== caller.userId && !may(caller.operatorRole, 'direct'))
    throw new Refusal('role_required', {
      message: `To change a view of somebody else needs ${holdersOf('direct')} of the studio.`,
    });
  return view;
}

/** What the list of jobs would refuse cannot be saved. */
export function refuseUnlistable(catalog: Catalog, filter: NewView['filter'], { userId }: Operator): void {
  try {
    refuseUnknownFamily(catalog, filter.service_family);
    readQueueFilter(filter, { graceHours: 0, timeZone: timeZoneOf(catalog), me: userId });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw badBody((error.details ?? []).map(({ location, message }) => ({ location: `/filter/${location}`, message })));
  }
}
