import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconPlayerPause, IconPlus } from '../../ui/look/icons.ts';
import { useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import type { WebhookEndpoint } from '../../app/api.ts';
import { useManagerReason } from '../../app/session/session.tsx';
import { useRead, useReads } from '../../app/use-reads.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { curl } from '../../ui/page/curl.ts';
import { type Column, Empty, List } from '../../ui/list/list.tsx';
import { KeyOnce } from '../../ui/dialog/key-once.tsx';
import { Loaded, PageHead } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { disabledWords, sayEvents } from './webhook-words.ts';
import { webhooksReads } from './webhooks.reads.ts';

/** The limit of endpoints per account. */
const most = 10;

export function Webhooks() {
  const forbidden = useManagerReason();
  const endpoints = useRead(useReads(webhooksReads).endpoints, { refetchInterval: 30_000 });
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<{ secret: string | null } | null>(null);
  const rows = endpoints.data?.webhook_endpoints;
  const full = rows && rows.length >= most ? `An account has at most ${most} endpoints: delete one first.` : null;
  return (
    <>
      <PageHead
        title="Webhooks"
        below="Events of the account are sent to your programs, signed, and repeated until they accept them."
      >
        <Button component="a" href="/docs/" variant="default">
          How to receive them
        </Button>
        <ActionButton
          variant={rows?.length === 0 ? 'default' : 'filled'}
          icon={<IconPlus size={16} />}
          reason={forbidden ?? full}
          onClick={() => setMaking(true)}
        >
          New endpoint
        </ActionButton>
      </PageHead>
      <Loaded query={endpoints}>
        {() =>
          rows?.length === 0 ? (
            <Empty
              action={
                <ActionButton reason={forbidden} onClick={() => setMaking(true)}>
                  Add the first endpoint
                </ActionButton>
              }
              command={curl({ path: '/api/v1/events' })}
            >
              No program receives events yet. Add an address, or let a program read them with an API key.
            </Empty>
          ) : (
            <List
              label="Webhook endpoints"
              rows={rows}
              columns={columns}
              rowKey={({ id }) => id}
              href={({ id }) => pathTo(customerPages.webhook, { id })}
            />
          )
        }
      </Loaded>
      {making && (
        <WebhookForm onClose={() => setMaking(false)} onMade={(secret) => (setMaking(false), setMade({ secret }))} />
      )}
      {made && <WebhookSecret secret={made.secret} onClose={() => setMade(null)} />}
    </>
  );
}

const columns: Column<WebhookEndpoint>[] = [
  {
    head: 'Endpoint',
    width: '46%',
    cell: ({ url, description }) => (
      <>
        <span className="breaks">{url}</span>
        {description && <span className="cell-second">{description}</span>}
      </>
    ),
  },
  { head: 'Gets', cell: sayEvents },
  { head: 'State', cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
  {
    head: 'Last taken',
    named: true,
    end: true,
    cell: ({ last_success_at }) => (last_success_at ? <Time at={last_success_at} /> : 'never'),
  },
];

export const WebhookSecret = ({ secret, onClose }: { secret: string | null; onClose: () => void }) => (
  <KeyOnce
    title="Secret of the endpoint"
    secret={secret}
    shown={(text) => text.indexOf('_') + 1}
    ifLost="Replace the secret of the endpoint to get another one."
    why="Shown once. Your program uses it to check that a delivery comes from here; any Standard Webhooks library can do that."
    onClose={onClose}
  />
);

export function EndpointState({ endpoint: { disabled_reason, failing_since } }: { endpoint: WebhookEndpoint }) {
  const failing = failing_since && ['Failing since ', <Time key="since" at={failing_since} as="moment" />];
  const [tone, Icon, words] = disabled_reason
    ? [disabled_reason === 'by_person' ? 'third' : 'bad', IconPlayerPause, disabledWords[disabled_reason]]
    : failing
      ? ['bad', IconAlertTriangle, failing]
      : ['good', IconCircleCheck, 'Active'];
  return (
    <span className={`status ${tone}`}>
      <Icon size={14} aria-hidden /> <span>{words}</span>
    </span>
  );
}
