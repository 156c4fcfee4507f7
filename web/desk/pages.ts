import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type AtelierError,
  type AuditEntry,
  type DeskAccountListItem,
  type DeskJobListItem,
  type Input,
  type ProviderEvent,
  queryClient,
  readOperation,
} from '../app/api.ts';

/** Operations that answer a page of a list and where the next one begins. */
type Items = {
  listQueue: DeskJobListItem;
  listAccounts: DeskAccountListItem;
  listAudit: AuditEntry;
  listProviderEvents: ProviderEvent;
};
type Listing = keyof Items;
type Query<K extends Listing> = Omit<NonNullable<(Input<K> & { query?: object })['query']>, 'cursor' | 'limit'>;

type Page = { next_cursor: string | null };

/** The first pages of a list as one: all of them are read anew together, so that no row is missed or comes twice. */
export function usePages<K extends Listing>(operation: K, query: Query<K>, pageSize: number) {
  const scope = JSON.stringify(query);
  const [asked, setAsked] = useState({ scope, pages: 1 });
  const pages = asked.scope === scope ? asked.pages : 1;
  const reading = useQuery<{ items: Items[K][]; more: boolean }, AtelierError>({
    queryKey: [operation, { query }, pages],
    queryFn: async ({ signal }) => {
      const items: Items[K][] = [];
      let cursor: string | null = null;
      for (let page = 0; page === 0 || (cursor !== null && page < pages); page++) {
        const input = { query: { ...query, limit: pageSize, ...(cursor ? { cursor } : {}) } };
        const answer: Page = await readOperation(operation, input as Input<K>, signal);
        items.push(...itemsOf<K>(answer));
        cursor = answer.next_cursor;
      }
      return { items, more: cursor !== null };
    },
    ...(pages === 1 && firstPage(operation, { ...query, limit: pageSize })),
  });
  return {
    ...reading,
    // One page more is added below what is shown, which is no other list's.
    isPlaceholderData: reading.isPlaceholderData && pages === 1,
    /** Reads one page more; undefined where there is none. */
    more: reading.data?.more ? () => setAsked({ scope, pages: pages + 1 }) : undefined,
  };
}

const itemsOf = <K extends Listing>(page: Page) => Object.values(page).find(Array.isArray) as unknown as Items[K][];

/** What the page has read already, before its parts were there to ask for it. */
function firstPage<K extends Listing>(operation: K, query: object) {
  const read = queryClient.getQueryState<Page>([operation, { query }]);
  if (!read?.data) return undefined;
  const initialData = { items: itemsOf<K>(read.data), more: read.data.next_cursor !== null };
  return { initialData, initialDataUpdatedAt: read.dataUpdatedAt };
}
