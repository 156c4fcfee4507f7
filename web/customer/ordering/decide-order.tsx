import { Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { studioNames } from '../../../contract/jobs/optional-fields.ts';
import { mostWordsOfDecline } from '../../../contract/ordering/order-bounds.ts';
import { customerPages, plansFor } from '../../../contract/pages.ts';
import { type Order, operationQuery, queryClient, useOperation } from '../../app/api.ts';
import { useReadOnlyReason, useSession } from '../../app/session/session.tsx';
import { FormDialog } from '../../ui/dialog/dialog.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { fieldError, useMoveKey } from '../../ui/form/form.ts';
import { pathTo } from '../../ui/page/address.ts';
import { Failure, notify, Panel } from '../../ui/page/page.tsx';
import { Blocked } from '../account/plan-limit.tsx';
import { Price } from './price.tsx';

/** What confirming would cost, and both decisions. The version that is shown is the one that is confirmed. */
export function DecideOrder({ order }: { order: Order }) {
  const { id, version, ready, customer_title: title, created_by: maker } = order;
  const navigate = useNavigate();
  const { account } = useSession();
  const readOnly = useReadOnlyReason();
  const [declining, setDeclining] = useState(false);
  const { data } = useQuery({ ...operationQuery('preflightJob', { body: bodyOf(order) }), enabled: ready });
  const preflight = maker.kind === 'user' ? (data?.preflight ?? null) : null;
  const blocking = preflight?.blocking_reasons.find(({ code }) => code !== 'intake_incomplete') ?? null;
  const confirm = useOperation(
    'confirmOrder',
    ({ job }) => void navigate({ to: pathTo(customerPages.job, { id: job.id }) }),
  );
  const key = useMoveKey(`confirm-${id}-${version}`);
  const run = () =>
    confirm.mutate(
      { path: { id }, body: { version }, idempotencyKey: key },
      { onError: () => void queryClient.invalidateQueries({ queryKey: ['readOrder'] }) },
    );
  const plans = plansFor(`${order.service_family}.${order.service_type}`, { by: 'human', account: account.id });
  return (
    <Panel title="Confirm this order?">
      <div className="stack-small">
        <Price preflight={preflight} />
        {blocking && <Blocked reason={blocking} plansLink={<Link to={plans}>See plans</Link>} />}
        {!ready && <p className="note">{maker.name} is changing it. It can be confirmed once it is complete.</p>}
        {confirm.error && <Failure error={confirm.error} />}
        <ActionButton
          reason={readOnly ?? (ready ? null : 'It is not complete.')}
          loading={confirm.isPending}
          onClick={run}
          fullWidth
        >
          Confirm the order
        </ActionButton>
        <ActionButton variant="subtle" color="bad" reason={readOnly} onClick={() => setDeclining(true)} fullWidth>
          Decline
        </ActionButton>
        <p className="small second">Confirming orders it for {maker.name}. The studio has it then.</p>
      </div>
      {declining && <Decline id={id} title={title} maker={maker.name} onClose={() => setDeclining(false)} />}
    </Panel>
  );
}

const bodyOf = (order: Order) => ({
  service_family: order.service_family,
  service_type: order.service_type ?? '',
  customer_title: order.customer_title,
  customer_instructions: order.customer_instructions,
  ...Object.fromEntries(studioNames.flatMap((name) => (order[name] ? [[name, order[name]]] : []))),
  ...(order.files.length > 0 ? { file_ids: order.files.map(({ id }) => id) } : {}),
});

type DeclineProps = { id: string; title: string; maker: string; onClose: () => void };

function Decline({ id, title, maker, onClose }: DeclineProps) {
  const decline = useOperation('declineOrder');
  const [words, setWords] = useState('');
  const run = () =>
    decline.mutate({ path: { id }, body: { words } }, { onSuccess: () => (onClose(), notify(`${maker} is told.`)) });
  return (
    <FormDialog
      onClose={onClose}
      title={`Decline “${title}”?`}
      submit="Decline"
      onSubmit={run}
      action={decline}
      fields={['words']}
      disabled={words.trim() === ''}
    >
      <Textarea
        label={`Why? ${maker} reads it.`}
        autosize
        minRows={3}
        maxLength={mostWordsOfDecline}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
        error={fieldError(decline.error, 'words')}
        data-autofocus
      />
    </FormDialog>
  );
}
