import { useQuery } from '@tanstack/react-query';
import { customerPages } from '../../../contract/pages.ts';
import { operationQuery, type OrderListItem } from '../../app/api.ts';
import { read } from '../../app/reads.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { useRoleReason, useSession } from '../../app/session/session.tsx';
import { type Column, List } from '../../ui/list/list.tsx';
import { WithPicture } from '../../ui/list/row-picture.tsx';
import { IconHandStop } from '../../ui/look/icons.ts';
import { pathTo } from '../../ui/page/address.ts';
import { deciders } from './order-words.ts';
import { sayWeekday } from '../../ui/time/time.tsx';

/** What waits for an owner or admin. Reviewers may not read it. */
export const waitingOrdersRead = read('listOrders', { query: { status: ['waiting'], limit: 20 } });

/** Orders that wait, in the look of the jobs below them: for those who decide and for their makers. */
export function WaitingOrders({ rows }: { rows: OrderListItem[] }) {
  const { service } = useServiceNames();
  const { user } = useSession();
  const decides = useRoleReason() === null;
  const columns: Column<OrderListItem>[] = [
    {
      head: 'Order',
      width: '42%',
      cell: ({ customer_title: title, service_family: family, service_type: type, created_by: { id, name } }) => (
        <WithPicture cover={null} letter={name}>
          {title}
          <span className="cell-second">
            {service(family, type)} · ordered by <bdi>{id === user.id ? 'you' : name}</bdi>
          </span>
        </WithPicture>
      ),
    },
    {
      head: 'State',
      width: '20%',
      cell: ({ created_by: { id } }) =>
        decides && id !== user.id ? (
          <span className="status yours">
            <IconHandStop size={14} stroke={1.8} aria-hidden />
            Confirm the order
          </span>
        ) : (
          'Waits to be confirmed'
        ),
    },
    { head: 'Next', cell: ({ lapses_at }) => `Lapses ${sayWeekday(lapses_at)}` },
  ];
  const href = ({ id }: OrderListItem) => pathTo(customerPages.order, { id });
  return <List label="Orders that wait" rows={rows} columns={columns} rowKey={({ id }) => id} href={href} />;
}

/** Before ordering: for whom what this person orders waits. */
export function WaitsForPerson() {
  const { user } = useSession();
  const { data } = useQuery({ ...operationQuery('listMembers'), staleTime: 60_000 });
  return (
    <p className="note">
      What you order waits for {deciders(data?.members ?? [], user.id)}, for seven days. Nothing is made until then.
    </p>
  );
}
