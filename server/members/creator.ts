import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import type { Creator } from '../../contract/shapes.ts';
import { showId } from '../lib/id.ts';

/** The person or the key that made a row. */
export type Created = { created_by_user: string | null; created_by_key: string | null; creator_name: string };

/** The name today; `row` is the alias of a table with the columns of a creator. */
export const creatorName = (row: string): RawBuilder<string> => sql<string>`coalesce(
  (select u.name from people u where u.id = ${sql.ref(`${row}.created_by_user`)}),
  (select k.name from api_keys k where k.id = ${sql.ref(`${row}.created_by_key`)}), '')`;

export const showCreator = ({ created_by_user, created_by_key, creator_name: name }: Created): Static<typeof Creator> =>
  created_by_user === null
    ? { kind: 'api_key', id: showId('key', created_by_key ?? ''), name }
    : { kind: 'user', id: showId('user', created_by_user), name };
