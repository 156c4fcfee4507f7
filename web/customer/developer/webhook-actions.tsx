import { Select, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import { useOperation, type WebhookEndpoint } from '../../app/api.ts';
import { ConfirmOperation } from '../../app/confirm-operation.tsx';
import { Confirm, FormDialog } from '../../ui/dialog/dialog.tsx';
import { notify } from '../../ui/page/page.tsx';
import { defaultOverlap, Overlap } from './overlap.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookSecret } from './webhooks.tsx';

export type WebhookAction = 'pause' | 'resume' | 'edit' | 'rotate' | 'replay' | 'delete';
type Props = { endpoint: WebhookEndpoint; onClose: () => void };

export function WebhookDialog({ action, ...props }: Props & { action: WebhookAction }) {
  const dialogs = { pause: Pause, resume: Resume, edit: WebhookForm, rotate: Rotate, replay: Replay, delete: Delete };
  const ActionDialog = dialogs[action];
  return <ActionDialog {...props} />;
}

const Pause = ({ endpoint: { id }, onClose }: Props) => (
  <ConfirmOperation
    title="Pause this endpoint?"
    confirm="Pause"
    operation="updateWebhookEndpoint"
    input={{ path: { id }, body: { enabled: false } }}
    onClose={onClose}
  >
    Nothing is sent to it until you resume it. Events in the meantime are kept.
  </ConfirmOperation>
);

function Resume({ endpoint: { id }, onClose }: Props) {
  const [from, setFrom] = useState<'where_it_stopped' | 'now'>('where_it_stopped');
  return (
    <ConfirmOperation
      title="Resume this endpoint"
      confirm="Resume"
      operation="updateWebhookEndpoint"
      input={{ path: { id }, body: { enabled: true, resume: from } }}
      onClose={onClose}
    >
      <Select
        label="Events in the meantime"
        data={[
          { value: 'where_it_stopped', label: 'Deliver them now, from where it stopped' },
          { value: 'now', label: 'Skip them: only new events' },
        ]}
        value={from}
        onChange={(value) => setFrom(value === 'now' ? 'now' : 'where_it_stopped')}
      />
    </ConfirmOperation>
  );
}

function Rotate({ endpoint: { id }, onClose }: Props) {
  const rotate = useOperation('rotateWebhookSecret');
  const [hours, setHours] = useState(defaultOverlap);
  if (rotate.data) return <WebhookSecret secret={rotate.data.secret} onClose={onClose} />;
  return (
    <Confirm
      opened
      onClose={onClose}
      title="Replace the secret?"
      confirm="Make a new secret"
      pending={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate({ path: { id }, body: { overlap_hours: hours } })}
    >
      <Overlap label="The old secret keeps signing" hours={hours} onChange={setHours}>
        You get a new secret, shown once. Until the old one ends, deliveries are signed with both, so that no program
        stops.
      </Overlap>
    </Confirm>
  );
}

function Replay({ endpoint: { id, cursor }, onClose }: Props) {
  const replay = useOperation('replayWebhookEvents');
  const [which, setWhich] = useState<'failed' | 'all'>('failed');
  const [after, setAfter] = useState(String(Math.max(0, cursor - 100)));
  const body = which === 'failed' ? { after: 0, failed_only: true } : { after: Number(after) };
  const onSuccess = ({ queued }: { queued: number }) => {
    onClose();
    notify(queued === 0 ? 'There was nothing to deliver again.' : `Queued again: ${queued}.`);
  };
  return (
    <FormDialog
      onClose={onClose}
      title="Deliver again"
      submit="Deliver again"
      onSubmit={() => replay.mutate({ path: { id }, body }, { onSuccess })}
      action={replay}
      disabled={which === 'all' && after === ''}
    >
      <Select
        label="Which events"
        data={[
          { value: 'failed', label: 'Events that were given up' },
          { value: 'all', label: 'All after a certain event' },
        ]}
        value={which}
        onChange={(value) => setWhich(value === 'all' ? 'all' : 'failed')}
      />
      {which === 'all' && (
        <TextInput
          type="number"
          label="After event number"
          description={`The list of deliveries shows the numbers; the newest delivered is ${cursor}.`}
          min={0}
          value={after}
          onChange={(event) => setAfter(event.currentTarget.value)}
        />
      )}
      <p className="small second">
        Each event keeps its number and id, so that your program can skip those it has already handled.
      </p>
    </FormDialog>
  );
}

function Delete({ endpoint: { id, url }, onClose }: Props) {
  const navigate = useNavigate();
  return (
    <ConfirmOperation
      title={`Delete ${new URL(url).host}?`}
      confirm="Delete the endpoint"
      destructive
      operation="deleteWebhookEndpoint"
      input={{ path: { id } }}
      onDone={() => void navigate({ to: customerPages.webhooks })}
      onClose={onClose}
    >
      Nothing more is sent to it, and its list of deliveries is deleted too. This cannot be undone.
    </ConfirmOperation>
  );
}
