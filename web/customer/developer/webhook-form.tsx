import { Box, Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type EventType, useOperation, type WebhookEndpoint } from '../../app/api.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { useFields } from '../../ui/form/use-fields.ts';
import { accountEventWords } from './webhook-words.ts';

type Fields = { url: string; description: string; types: EventType[] | null };

export function NewWebhook({ onClose, onMade }: { onClose: () => void; onMade: (secret: string | null) => void }) {
  const create = useOperation('createWebhookEndpoint');
  const run = ({ url, description, types }: Fields) => {
    const body = { url, ...(description ? { description } : {}), ...(types ? { types } : {}) };
    create.mutate({ body }, { onSuccess: ({ secret }) => onMade(secret) });
  };
  return (
    <WebhookForm title="New endpoint" submit="Add the endpoint" action={create} onClose={onClose} onSubmit={run} />
  );
}

export function EditWebhook({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const update = useOperation('updateWebhookEndpoint');
  const run = ({ url, description, types }: Fields) =>
    update.mutate(
      { path: { id: endpoint.id }, body: { url, description: description || null, types } },
      { onSuccess: onClose },
    );
  return (
    <WebhookForm
      title="Change the endpoint"
      submit="Save"
      initial={endpoint}
      action={update}
      onClose={onClose}
      onSubmit={run}
    />
  );
}

type FormProps = {
  title: string;
  submit: string;
  initial?: WebhookEndpoint;
  action: { isPending: boolean; error: Error | null };
  onClose: () => void;
  onSubmit: (fields: Fields) => void;
};

function WebhookForm({ initial, onSubmit, ...dialog }: FormProps) {
  const { fields, field } = useFields(
    { url: initial?.url ?? '', description: initial?.description ?? '' },
    dialog.action.error,
  );
  const [types, setTypes] = useState(initial?.types ?? null);
  const url = fields.url.trim();
  return (
    <FormDialog
      {...dialog}
      size={560}
      onSubmit={() => onSubmit({ url, description: fields.description.trim(), types })}
      fields={['url', 'description']}
      disabled={url === '' || types?.length === 0}
    >
      <TextInput
        label="Address"
        description="Your public https address. Events are sent to it as JSON."
        placeholder="https://hooks.example.com/atelier"
        type="url"
        required
        maxLength={2000}
        {...field('url')}
        data-autofocus
      />
      <TextInput label="What it is for" placeholder="Our build server" maxLength={200} {...field('description')} />
      <EventChoice types={types} onChange={setTypes} />
    </FormDialog>
  );
}

/** A test event is always sent. */
const choices = (Object.keys(accountEventWords) as EventType[]).filter((type) => type !== 'webhook_endpoint.test');
/** The events that most programs need. */
const usual: EventType[] = ['job.ready_for_customer_review', 'job.completed', 'job.rejected'];

type ChoiceProps = { types: EventType[] | null; onChange: (types: EventType[] | null) => void };

function EventChoice({ types, onChange }: ChoiceProps) {
  return (
    <Box component="fieldset" className="stack" m={0} p={0} bd={0} style={{ gap: 10 }}>
      <Box component="legend" p={0} mb={6} fw={500}>
        Gets
      </Box>
      <Checkbox
        label="All events, including future types"
        checked={types === null}
        onChange={(event) => onChange(event.currentTarget.checked ? null : usual)}
      />
      {types !== null && (
        <Checkbox.Group value={types} onChange={(chosen) => onChange(chosen)}>
          <Box display="grid" style={{ gridTemplateColumns: 'repeat(auto-fill, minmax(220px, 1fr))', gap: '8px 16px' }}>
            {choices.map((type) => (
              <Checkbox key={type} value={type} label={accountEventWords[type]} />
            ))}
          </Box>
        </Checkbox.Group>
      )}
    </Box>
  );
}
