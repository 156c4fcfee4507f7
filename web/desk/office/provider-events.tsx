import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useNavigate } from '@tanstack/react-router';
import { IconAlertTriangle, IconCircleCheck, IconMinus } from '../../ui/look/icons.ts';
import { deskPages } from '../../../contract/pages.ts';
import { type ProviderEvent, useOperation } from '../../app/api.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { Code, Copy } from '../../ui/page/code.tsx';
import { Empty, ListFoot } from '../../ui/list/list.tsx';
import { Failure, Loaded, notify } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';
import type { ListRead } from '../../app/reads.ts';
import { useMay } from '../may.ts';
import { needsLook, reasonWords } from './reason-words.ts';
import { usePages } from '../../app/use-reads.ts';

type Props = { read: ListRead<'listProviderEvents'>; ofAccount?: boolean };

export const ProviderEvents = ({ read, ofAccount = false }: Props) => (
  <EventList read={read} label="Events of the payment provider" none={<NoEvents {...read.input.query} />}>
    {(event) => <EventLine key={event.id} event={event} account={!ofAccount} />}
  </EventList>
);

type ListProps = {
  read: ListRead<'listProviderEvents'>;
  label: string;
  none: ReactNode;
  children: (event: ProviderEvent) => ReactNode;
};

export function EventList({ read, label, none, children }: ListProps) {
  const events = usePages(read);
  return (
    <Loaded query={events}>
      {(rows) =>
        rows.length === 0 ? (
          none
        ) : (
          <>
            <ul className="events" aria-label={label}>
              {rows.map(children)}
            </ul>
            {events.more && (
              <div className="panel-body">
                <ListFoot shown={`${rows.length} shown`} more={events.more} loading={events.loadingMore} />
              </div>
            )}
          </>
        )
      }
    </Loaded>
  );
}

type Query = { account_id?: string; outcome?: string; needs_look?: boolean; month?: string };

function NoEvents({ account_id: account, outcome, needs_look: look, month }: Query) {
  const navigate = useNavigate();
  const narrowed = outcome ?? look ?? account ?? month;
  const to = narrowed ? pathTo(deskPages.payments, {}, { outcome: 'all' }) : deskPages.accounts;
  const when = month ? ' in this month' : '';
  return (
    <div className="panel-body">
      <Empty
        action={
          <ActionButton variant="default" onClick={() => void navigate({ to })}>
            {narrowed ? 'Show all events' : 'Go to the accounts'}
          </ActionButton>
        }
      >
        {look
          ? `No event${when} needs a look.`
          : outcome
            ? `No event${when} was ${outcome}.`
            : month
              ? 'No event arrived in this month.'
              : 'The provider has sent nothing yet.'}
      </Empty>
    </div>
  );
}

function EventLine({ event, account }: { event: ProviderEvent; account: boolean }) {
  const may = useMay();
  const ignored = event.outcome === 'ignored';
  const look = event.reason !== null && needsLook(event.reason);
  const accountId = account && (event.account_id ?? namedAccount(event));
  const Mark = look ? IconAlertTriangle : ignored ? IconMinus : IconCircleCheck;
  return (
    <li className="event">
      <div className="row">
        <span className={look ? 'status turn' : ignored ? 'status' : 'status good'}>
          <Mark size={14} aria-hidden /> {ignored ? 'Ignored' : 'Processed'}
        </span>
        <span className="mono ink">{event.type}</span>
        {!event.livemode && <span className="third small">test mode</span>}
        <span className="push second small">
          <Time at={event.received_at} as="moment" />
        </span>
      </div>
      {event.reason && <ReasonWords reason={event.reason} />}
      <div className="row small second">
        <CopiedId of="event" id={event.id} />
        {event.subscription && <CopiedId of="subscription" id={event.subscription} />}
      </div>
      <Reviews event={event} />
      <div className="row">
        {look && may('manage_records') && <Review event={event} />}
        <Payload event={event} />
        {accountId && (
          <Link className="push small" to={pathTo(deskPages.account, { id: accountId })}>
            {event.account_id ? 'its account' : 'the account it names (unverified)'}
          </Link>
        )}
      </div>
    </li>
  );
}

const CopiedId = ({ of, id }: { of: string; id: string }) => (
  <Group gap={2} miw={0} wrap="nowrap">
    <span className="mono one-line">{id}</span>
    <Copy text={id} label={`Copy the ${of} id`} />
  </Group>
);

export const Payload = ({ event: { payload } }: { event: ProviderEvent }) => (
  <details className="small">
    <summary className="second">Payload</summary>
    <Code>{JSON.stringify(payload, null, 2)}</Code>
  </details>
);

/** Who had it re-evaluated, and what came of it. */
export const Reviews = ({ event: { reviews } }: { event: ProviderEvent }) =>
  reviews.map((review) => (
    <p key={review.reviewed_at} className="small second">
      Re-evaluated by {review.reviewed_by.name} <Time at={review.reviewed_at} />:{' '}
      {review.reason ? `still ignored. ${reasonWords(review.reason).sentence}` : 'processed.'}
    </p>
  ));

function ReasonWords({ reason }: { reason: string }) {
  const { sentence, remedy } = reasonWords(reason);
  return (
    <p>
      <span className="ink">{sentence}</span> <span className="second">{remedy}</span>
    </p>
  );
}

type Posted = {
  data?: {
    object?: {
      metadata?: { service_account_id?: unknown; service_entitlement_code?: unknown } | null;
      items?: { data?: { price?: { id?: unknown; unit_amount?: unknown; currency?: unknown } | null }[] } | null;
    };
  };
};

export const postedObject = ({ payload }: ProviderEvent) => (payload as Posted).data?.object ?? {};

/** What the metadata says is not proven by a bound customer. */
export function namedAccount(event: ProviderEvent): string | null {
  const id = postedObject(event).metadata?.service_account_id;
  return typeof id === 'string' && id.startsWith('acct_') ? id : null;
}

export function Review({ event }: { event: ProviderEvent }) {
  const review = useOperation('reviewEvent');
  const run = () =>
    review.mutate(
      { path: { id: event.id } },
      {
        onSuccess: ({ provider_event: now }) =>
          notify(now.reason === null ? 'Processed now.' : `Still ignored. ${reasonWords(now.reason).sentence}`),
      },
    );
  return (
    <>
      <Button variant="default" size="xs" h={28} loading={review.isPending} onClick={run}>
        Re-evaluate
      </Button>
      {review.error && <Failure error={review.error} />}
    </>
  );
}
