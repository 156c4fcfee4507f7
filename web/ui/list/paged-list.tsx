import type { ReactNode } from 'react';
import { Failure } from '../page/page.tsx';
import { List, ListFoot, type ListProps } from './list.tsx';

type Pages<Row> = {
  data: Row[] | undefined;
  error: Error | null;
  refetch: () => unknown;
  more: (() => void) | undefined;
  loadingMore: boolean;
};

type Props<Row> = Omit<ListProps<Row>, 'rows'> & {
  pages: Pages<Row>;
  /** In place of a list without rows. */
  empty?: ReactNode;
};

/** A list that is read page by page, what stands in its place, and the way to more. */
export function PagedList<Row>({ pages: { data, error, refetch, more, loadingMore }, empty, ...list }: Props<Row>) {
  if (error && !data) return <Failure error={error} retry={() => void refetch()} />;
  if (data?.length === 0 && empty) return empty;
  return (
    <>
      <List {...list} rows={data} />
      {data && <ListFoot shown={`${data.length} shown`} more={more} loading={loadingMore} />}
    </>
  );
}
