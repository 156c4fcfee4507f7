import { Button } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconSend } from '../../ui/look/icons.ts';
import { type ComponentProps, useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import { useOperation, type WebhookEndpoint } from '../../app/api.ts';
import { useEndingReason, useManagerReason } from '../../app/session/session.tsx';
import { usePages, useRead, useReads } from '../../app/use-reads.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { Identifier } from '../../ui/page/code.tsx';
import { Empty } from '../../ui/list/list.tsx';
import { Facts, Failure, Loaded, notify, PageHead, Panel } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';
import { type WebhookAction, WebhookDialog } from './webhook-actions.tsx';
import { WebhookDeliveries } from './webhook-deliveries.tsx';
import { accountEventWords, sayEvents } from './webhook-words.ts';
import { EndpointState } from './webhooks.tsx';
import { webhookReads } from './webhook.reads.ts';

export function Webhook() {
  const { id = '' } = useParams({ strict: false });
  const endpoints = useRead(useReads(webhookReads).endpoints, { refetchInterval: 30_000 });
  const head = <PageHead title="Endpoint" above={<Link to={customerPages.webhooks}>Webhooks</Link>} />;
  return (
    <Loaded query={endpoints} height={480} head={head}>
      {({ webhook_endpoints: all }) => {
        const endpoint = all.find((item) => item.id === id);
        if (endpoint) return <EndpointPage endpoint={endpoint} />;
        const back = (
          <Button component={Link} to={customerPages.webhooks} variant="default">
            All endpoints
          </Button>
        );
        return (
          <>
            {head}
            <Empty action={back}>
              There is no such endpoint. It may have been deleted, or belong to another account.
            </Empty>
          </>
        );
      }}
    </Loaded>
  );
}

function EndpointPage({ endpoint }: { endpoint: WebhookEndpoint }) {
  const forbidden = useManagerReason();
  const [action, setAction] = useState<WebhookAction | null>(null);
  const test = useOperation('testWebhookEndpoint');
  const deliveries = usePages(useReads(webhookReads).deliveries);
  const { id, url, types, last_success_at } = endpoint;
  const onSuccess = () => notify('A test is on its way; it appears below.');
  return (
    <>
      <PageHead
        title={new URL(url).host}
        above={
          <>
            <Link to={customerPages.webhooks}>Webhooks</Link> / <span className="breaks">{url}</span>
          </>
        }
        beside={<EndpointState endpoint={endpoint} />}
        below={<Identifier id={id} />}
      >
        <ActionButton
          icon={<IconSend size={16} />}
          variant="default"
          reason={forbidden}
          loading={test.isPending}
          onClick={() => test.mutate({ path: { id } }, { onSuccess })}
        >
          Send a test
        </ActionButton>
      </PageHead>
      <div className="columns">
        <div className="stack">
          {test.error && <Failure error={test.error} />}
          <Trouble endpoint={endpoint} />
          <WebhookDeliveries id={id} />
        </div>
        {/* Below the deliveries on a phone, where their rows would push it. */}
        <aside className={deliveries.data || deliveries.error ? 'stack' : 'stack wide-only'}>
          <EndpointActions enabled={endpoint.enabled} onAsk={setAction} />
          <Panel title="Facts">
            <Facts
              facts={[
                ['For', endpoint.description],
                [
                  'Gets',
                  <span key="events" title={types?.map((type) => accountEventWords[type]).join(', ')}>
                    {sayEvents(endpoint)}
                  </span>,
                ],
                ['Made by', endpoint.created_by.name],
                ['Made', <Time key="made" at={endpoint.created_at} as="moment" />],
                ['Last taken', last_success_at ? <Time key="taken" at={last_success_at} /> : 'never'],
                ['Delivered up to', <span key="cursor" className="numbers">{`event ${endpoint.cursor}`}</span>],
              ]}
            />
          </Panel>
        </aside>
      </div>
      {action && <WebhookDialog action={action} endpoint={endpoint} onClose={() => setAction(null)} />}
    </>
  );
}

function EndpointActions({ enabled, onAsk }: { enabled: boolean; onAsk: (action: WebhookAction) => void }) {
  const forbidden = useManagerReason();
  const undeletable = useEndingReason();
  const button = (action: WebhookAction, label: string, look: Partial<ComponentProps<typeof ActionButton>> = {}) => (
    <ActionButton variant="subtle" fullWidth reason={forbidden} onClick={() => onAsk(action)} {...look}>
      {label}
    </ActionButton>
  );
  return (
    <Panel title="What you can do">
      <div className="stack-small">
        {enabled
          ? button('pause', 'Pause', { variant: 'default', icon: <IconPlayerPause size={16} /> })
          : button('resume', 'Resume', { variant: 'default', icon: <IconPlayerPlay size={16} /> })}
        {button('edit', 'Change', { variant: 'default', icon: <IconPencil size={16} /> })}
        {button('rotate', 'Replace the secret')}
        {button('replay', 'Deliver again', { reason: forbidden ?? (enabled ? null : 'Resume the endpoint first.') })}
        {button('delete', 'Delete', { color: 'bad', reason: undeletable })}
      </div>
    </Panel>
  );
}

/** Explains a problem, and that no event is lost. */
function Trouble({ endpoint: { disabled_reason, failing_since } }: { endpoint: WebhookEndpoint }) {
  if (disabled_reason)
    return (
      <div className="note turn">
        <strong>Nothing is sent here while it is paused.</strong> Nothing is lost: when you resume it, it continues
        where it stopped.
      </div>
    );
  if (failing_since)
    return (
      <div className="note bad">
        <strong>
          Every delivery has failed since <Time at={failing_since} as="moment" />.
        </strong>{' '}
        They are tried again. After five days without a success the endpoint is paused, and the owners get a mail.
      </div>
    );
  return null;
}
