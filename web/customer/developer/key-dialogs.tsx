import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type ApiKey, useOperation } from '../../app/api.ts';
import { ConfirmOperation } from '../../app/confirm-operation.tsx';
import { FormDialog } from '../../ui/dialog/dialog.tsx';
import type { Way } from '../../ui/dialog/key-once.tsx';
import { expiryIn, KeyExpiry } from '../../ui/form/key-expiry.tsx';
import { useFields } from '../../ui/form/use-fields.ts';
import { curl } from '../../ui/page/curl.ts';
import { defaultOverlap, Overlap } from './overlap.tsx';

export type Made = { name: string; secret: string | null };
type Props = { onClose: () => void; onMade: (made: Made) => void };

export function NewKey({ onClose, onMade }: Props) {
  const create = useOperation('createApiKey');
  const { fields, field, change } = useFields({ name: '', scope: 'write', days: '' }, create.error);
  const { scope, days } = fields;
  const name = fields.name.trim();
  const run = () => {
    const body = { name, ...(scope === 'read' && { scopes: ['api:read' as const] }), ...expiryIn(days) };
    create.mutate({ body }, { onSuccess: ({ plaintext_key: secret }) => onMade({ name, secret }) });
  };
  return (
    <FormDialog
      onClose={onClose}
      title="New API key"
      submit="Make the key"
      onSubmit={run}
      action={create}
      fields={['name']}
      disabled={name === ''}
    >
      <TextInput
        label="Name"
        description="Where it will be used, so that you recognize it later."
        placeholder="Website order form"
        required
        maxLength={100}
        {...field('name')}
        data-autofocus
      />
      <Select
        label="May"
        data={[
          { value: 'write', label: 'Read, order and change' },
          { value: 'read', label: 'Only read' },
        ]}
        value={scope}
        onChange={(value) => change({ scope: value ?? 'write' })}
      />
      <KeyExpiry days={days} onChange={(value) => change({ days: value })} />
    </FormDialog>
  );
}

/** The old key stays valid for a while, so that programs can change over. */
export function Rotate({ apiKey: { id, name }, onClose, onMade }: Props & { apiKey: ApiKey }) {
  const [hours, setHours] = useState(defaultOverlap);
  return (
    <ConfirmOperation
      title={`Replace “${name}”?`}
      confirm="Make the new key"
      operation="rotateApiKey"
      input={{ path: { id }, body: { overlap_hours: hours } }}
      onDone={({ plaintext_key: secret }) => onMade({ name, secret })}
      onClose={onClose}
    >
      <Overlap label="The old key keeps working" hours={hours} onChange={setHours}>
        You get a new key with the same name and permissions. Replace the old one before it ends.
      </Overlap>
    </ConfirmOperation>
  );
}

/** Ways to use a new key, ready for pasting. */
export function keyWays(): Way[] {
  const { origin } = location;
  const atelier = { type: 'http', url: `${origin}/mcp`, headers: { Authorization: 'Bearer $ATELIER_KEY' } };
  return [
    { label: 'curl', text: curl({ path: '/api/v1/me' }) },
    { label: 'MCP client', text: JSON.stringify({ mcpServers: { atelier } }, null, 2) },
    {
      label: 'Terminal',
      text: `# atelier, from a checkout: npm pack ./client && npm install -g ./atelier-client-*.tgz
atelier login --url ${origin} <<< "$ATELIER_KEY"
atelier catalog`,
    },
  ];
}
