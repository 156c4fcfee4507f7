import { Box, Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconRefresh } from '../../ui/look/icons.ts';
import { customerPages } from '../../../contract/pages.ts';
import { operationQuery, type Output, useOperation, type WebhookDelivery } from '../../app/api.ts';
import { useManagerReason } from '../../app/session/session.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { pathTo, useAddress } from '../../ui/page/address.ts';
import { Identifier } from '../../ui/page/code.tsx';
import { Facts, Failure, Loaded } from '../../ui/page/page.tsx';
import { useFocusBack } from '../../ui/dialog/focus-back.ts';
import type { Column } from '../../ui/list/list.tsx';
import { PagedList } from '../../ui/list/paged-list.tsx';
import { Time } from '../../ui/time/time.tsx';
import { usePages, useReads } from '../../app/use-reads.ts';
import { accountEventWords, deliveryWords, sayError } from './webhook-words.ts';
import { deliveryGroups, webhookReads } from './webhook.reads.ts';

type Filter = 'show' | 'delivery';

const underWay = ({ status }: WebhookDelivery) => status === 'pending' || status === 'retrying';

export function WebhookDeliveries({ id }: { id: string }) {
  const [{ show, delivery }, setAddress] = useAddress<Filter>();
  const deliveries = usePages(useReads(webhookReads).deliveries, {
    interval: (rows) => (rows.some(underWay) ? 2_000 : 10_000),
  });
  return (
    <section aria-label="Deliveries">
      <div className="chips">
        {deliveryGroups.map(({ id: group, label }) => (
          <button
            key={label}
            type="button"
            className="chip"
            aria-pressed={show === group}
            onClick={() => setAddress({ show: group })}
          >
            {label}
          </button>
        ))}
      </div>
      <PagedList
        label="Deliveries"
        tight
        pages={deliveries}
        columns={columns}
        rowKey={(row) => row.id}
        href={(row) => pathTo(customerPages.webhook, { id }, { ...(show && { show }), delivery: row.id })}
        empty={
          <p className="second">
            {show ? 'No delivery matches.' : 'Nothing has been sent yet. A test shows whether deliveries arrive.'}
          </p>
        }
      />
      {delivery && <Delivery id={delivery} onClose={() => setAddress({ delivery: undefined })} />}
    </section>
  );
}

const toneOf: Record<WebhookDelivery['status'], string> = {
  pending: 'work',
  retrying: 'turn',
  delivered: 'good',
  dead: 'bad',
};

const State = ({ status }: Pick<WebhookDelivery, 'status'>) => (
  <span className={`status ${toneOf[status]}`}>{deliveryWords[status]}</span>
);

const columns: Column<WebhookDelivery>[] = [
  {
    head: 'Event',
    width: '46%',
    cell: ({ event: { type, seq } }) => (
      <>
        {accountEventWords[type]} <span className="third numbers">#{seq}</span>
      </>
    ),
  },
  { head: 'State', cell: State },
  { head: 'Attempts', end: true, cell: ({ attempt_count }) => <span className="numbers">{attempt_count}</span> },
  { head: 'Made', end: true, cell: ({ created_at }) => <Time at={created_at} /> },
];

function Delivery({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery({
    ...operationQuery('readWebhookDelivery', { path: { id } }),
    refetchInterval: ({ state }) => (state.data && underWay(state.data.webhook_delivery) ? 2_000 : false),
  });
  useFocusBack(true);
  return (
    <Drawer opened onClose={onClose} returnFocus={false} position="right" size={480} title="Delivery">
      <Loaded query={query}>{({ webhook_delivery: delivery }) => <Attempts delivery={delivery} />}</Loaded>
    </Drawer>
  );
}

type WithAttempts = Output<'readWebhookDelivery'>['webhook_delivery'];
type OneAttempt = WithAttempts['attempts'][number];
const hasArrived = ({ status }: OneAttempt) => status !== null && status >= 200 && status < 300;

function Attempts({ delivery }: { delivery: WithAttempts }) {
  const forbidden = useManagerReason();
  const redeliver = useOperation('redeliverWebhook');
  const [, setAddress] = useAddress<Filter>();
  const { id, event, status, next_attempt_at, finished_at, attempts } = delivery;
  const onSuccess = ({ webhook_delivery: made }: Output<'redeliverWebhook'>) => setAddress({ delivery: made.id });
  return (
    <div className="stack">
      <div>
        <strong>{accountEventWords[event.type]}</strong> <span className="third numbers">#{event.seq}</span>
        <Identifier id={event.id} />
      </div>
      <Facts
        facts={[
          ['State', <State key="state" status={status} />],
          ['Next attempt', next_attempt_at && <Time key="next" at={next_attempt_at} as="moment" />],
          ['Ended', finished_at && <Time key="ended" at={finished_at} as="moment" />],
        ]}
      />
      <ol className="stack" style={{ gap: 12 }}>
        {attempts.map((attempt, index) => (
          <Attempt key={attempt.sent_at} number={index + 1} attempt={attempt} />
        ))}
      </ol>
      {status === 'delivered' && !attempts.some(hasArrived) ? (
        <p className="second">The event arrived by another delivery.</p>
      ) : (
        attempts.length === 0 && <p className="second">It has not been tried yet.</p>
      )}
      <ActionButton
        icon={<IconRefresh size={16} />}
        variant="default"
        reason={forbidden ?? (status === 'pending' ? 'It is on its way.' : null)}
        loading={redeliver.isPending}
        onClick={() => redeliver.mutate({ path: { id } }, { onSuccess })}
      >
        Deliver once more
      </ActionButton>
      {redeliver.error && <Failure error={redeliver.error} />}
    </div>
  );
}

function Attempt({ number, attempt }: { number: number; attempt: OneAttempt }) {
  const { sent_at: at, status, error, ms, answer } = attempt;
  return (
    <li>
      <div className="row between">
        <span>
          Attempt {number}:{' '}
          <span className={hasArrived(attempt) ? 'good' : 'bad'}>
            {status === null ? sayError(error) : `answered ${status}`}
          </span>
        </span>
        <span className="small third numbers">
          <Time at={at} as="moment" /> · {ms} ms
        </span>
      </div>
      {answer && (
        <Box className="code" mah="60vh" mt={6} style={{ overflow: 'auto' }}>
          <pre tabIndex={0}>{answer}</pre>
        </Box>
      )}
    </li>
  );
}
