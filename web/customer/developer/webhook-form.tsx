import { Box, Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type EventType, useOperation, type WebhookEndpoint } from '../../app/api.ts';
import { FormDialog } from '../../ui/dialog/dialog.tsx';
import { useFields } from '../../ui/form/use-fields.ts';
import { accountEventWords } from './webhook-words.ts';

type Props = {
  /** The one that is changed; none for a new one. */
  endpoint?: WebhookEndpoint;
  onClose: () => void;
  /** Runs when a new one is made. */
  onMade?: (secret: string | null) => void;
};

export function WebhookForm({ endpoint, onClose, onMade }: Props) {
  const create = useOperation('createWebhookEndpoint');
  const update = useOperation('updateWebhookEndpoint');
  const action = endpoint ? update : create;
  const initial = { url: endpoint?.url ?? '', description: endpoint?.description ?? '' };
  const { fields, field } = useFields(initial, action.error);
  const [types, setTypes] = useState(endpoint?.types ?? null);
  const url = fields.url.trim();
  const description = fields.description.trim();
  const run = () => {
    if (endpoint) {
      const body = { url, description: description || null, types };
      return update.mutate({ path: { id: endpoint.id }, body }, { onSuccess: onClose });
    }
    const body = { url, ...(description && { description }), ...(types && { types }) };
    create.mutate({ body }, { onSuccess: ({ secret }) => onMade?.(secret) });
  };
  return (
    <FormDialog
      title={endpoint ? 'Change the endpoint' : 'New endpoint'}
      submit={endpoint ? 'Save' : 'Add the endpoint'}
      size={560}
      onClose={onClose}
      onSubmit={run}
      action={action}
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
      <Box component="fieldset" className="stack" m={0} p={0} bd={0} style={{ gap: 10 }}>
        <Box component="legend" p={0} mb={6} fw={500}>
          Gets
        </Box>
        <Checkbox
          label="All events, including future types"
          checked={types === null}
          onChange={(event) => setTypes(event.currentTarget.checked ? null : usual)}
        />
        {types !== null && (
          <Checkbox.Group value={types} onChange={(chosen) => setTypes(chosen)}>
            <Box
              display="grid"
              style={{ gridTemplateColumns: 'repeat(auto-fill, minmax(220px, 1fr))', gap: '8px 16px' }}
            >
              {choices.map((type) => (
                <Checkbox key={type} value={type} label={accountEventWords[type]} />
              ))}
            </Box>
          </Checkbox.Group>
        )}
      </Box>
    </FormDialog>
  );
}

/** A test event is always sent. */
const choices = (Object.keys(accountEventWords) as EventType[]).filter((type) => type !== 'webhook_endpoint.test');
/** The events that most programs need. */
const usual: EventType[] = ['job.ready_for_customer_review', 'job.completed', 'job.rejected'];
