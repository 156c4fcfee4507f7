import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import type { Creator } from '../../contract/shapes.ts';
import { showId } from '../lib/id.ts';

/** The person or the key that made a row. Only jobs have `by_operator`: the person did it for the account. */
export type Created = {
  by_operator?: boolean;
  created_by_user: string | null;
  created_by_key: string | null;
  creator_name: string;
  by_app: boolean;
};

/** Columns: the name today, and whether the key is an app's. `row` is the alias of a table with a creator. */
export const creatorColumns = (row: string): RawBuilder<unknown> => sql`coalesce(
  (select u.name from people u where u.id = ${sql.ref(`${row}.created_by_user`)}),
  (select k.name from api_keys k where k.id = ${sql.ref(`${row}.created_by_key`)}), '') as creator_name,
  coalesce((select k.app_client_id is not null from api_keys k where k.id = ${sql.ref(`${row}.created_by_key`)}), false) as by_app`;

export const showCreator = (row: Created): Static<typeof Creator> => {
  const { created_by_user, created_by_key, creator_name: name, by_app } = row;
  return created_by_user === null
    ? { kind: by_app ? 'app' : 'api_key', id: showId('key', created_by_key ?? ''), name }
    : { kind: row.by_operator ? 'operator' : 'user', id: showId('user', created_by_user), name };
};
