import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { operationQuery, queryClient, useOperation } from '../../app/api.ts';
import { useReadOnlyReason, useSession } from '../../app/session/session.tsx';
import { Failure } from '../../ui/page/page.tsx';
import { Row } from './settings-row.tsx';

/** Whether the studio can order for the account. An owner chooses; admins see it. */
export function StudioOrders() {
  const { role } = useSession();
  const query = operationQuery('readStudioOrders', {});
  const { data, error, refetch } = useQuery(query);
  const readOnly = useReadOnlyReason();
  const choose = useOperation('chooseStudioOrders', (answer) => queryClient.setQueryData(query.queryKey, answer));
  const allowed = data?.studio_orders.allowed;
  const failed = error && <Failure error={error} retry={() => void refetch()} />;
  return (
    <Row
      term="Orders by the studio"
      value={allowed === undefined ? failed : allowed ? 'Allowed' : 'Not allowed'}
      more={role === 'owner' ? 'whether the studio may order jobs for you' : 'an owner decides'}
      back="Close"
    >
      {role === 'owner'
        ? () => (
            <div className="stack">
              <Switch
                label="The studio can order for this account"
                description="Each order uses your plan like one of yours. Owners and admins are told, and you can cancel it. Switched off, the studio takes no further order; jobs that it ordered stay."
                checked={allowed ?? false}
                disabled={readOnly !== null || allowed === undefined || choose.isPending}
                onChange={({ currentTarget: { checked } }) => choose.mutate({ body: { allowed: checked } })}
              />
              {choose.error && <Failure error={choose.error} />}
            </div>
          )
        : undefined}
    </Row>
  );
}
