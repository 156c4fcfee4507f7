import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import { operationQuery, type OrderListItem } from '../../app/api.ts';
import { read } from '../../app/reads.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { useRoleReason, useSession } from '../../app/session/session.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { deciders } from './order-words.ts';
import { sayWeekday } from '../../ui/time/time.tsx';

/** What waits for an owner or admin. Reviewers may not read it. */
export const waitingOrdersRead = read('listOrders', { query: { status: ['waiting'], limit: 20 } });

const line = { gap: '2px 16px', borderBottom: '1px solid var(--line)' };

/** Rows of orders that wait, for those who decide and for their makers. */
export const WaitingOrders = ({ rows }: { rows: OrderListItem[] }) => (
  <ul aria-label="Orders that wait">
    {rows.map((order) => (
      <WaitingOrder key={order.id} order={order} />
    ))}
  </ul>
);

function WaitingOrder({ order }: { order: OrderListItem }) {
  const { id, customer_title: title, service_family: family, service_type: type, created_by, lapses_at } = order;
  const { service } = useServiceNames();
  const { user } = useSession();
  const decides = useRoleReason() === null && created_by.id !== user.id;
  return (
    <Box className="row" component="li" mih={44} py={6} style={line}>
      <Box component={Link} to={pathTo(customerPages.order, { id })} className="ink breaks" fw={500}>
        {title}
      </Box>
      <span className="second small">
        {service(family, type)} · <bdi>{created_by.id === user.id ? 'you' : created_by.name}</bdi>
      </span>
      <span className="push small turn">{decides ? 'Confirm the order' : 'Waits to be confirmed'}</span>
      <span className="second small">Lapses {sayWeekday(lapses_at)}</span>
    </Box>
  );
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
