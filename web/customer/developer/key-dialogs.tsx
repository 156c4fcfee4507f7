import { Select, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type ApiKey, useOperation } from '../../app/api.ts';
import { Failure } from '../../ui/page/failure.tsx';
import { Confirm, Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { expiryIn, KeyExpiry } from '../../ui/form/key-expiry.tsx';
import { defaultOverlap, Overlap } from './overlap.tsx';

export type Made = { name: string; secret: string | null };
type Props = { apiKey: ApiKey; onClose: () => void };

export function NewKey({ onClose, onMade }: { onClose: () => void; onMade: (made: Made) => void }) {
  const create = useOperation('createApiKey');
  const [name, setName] = useState('');
  const [scope, setScope] = useState('write');
  const [days, setDays] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = {
      name: name.trim(),
      ...(scope === 'read' ? { scopes: ['api:read' as const] } : {}),
      ...expiryIn(days),
    };
    create.mutate({ body }, { onSuccess: ({ plaintext_key: secret }) => onMade({ name: body.name, secret }) });
  };
  const wrong = fieldError(create.error, 'name');
  return (
    <Dialog opened onClose={onClose} title="New API key">
      <form className="stack" onSubmit={submit}>
        <TextInput
          label="Name"
          description="Where it will be used, so that you recognize it later."
          placeholder="Website order form"
          required
          withAsterisk={false}
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={wrong}
          data-autofocus
        />
        <Select
          label="May"
          data={[
            { value: 'write', label: 'Read, order and change' },
            { value: 'read', label: 'Only read' },
          ]}
          value={scope}
          onChange={(value) => setScope(value ?? 'write')}
        />
        <KeyExpiry days={days} onChange={setDays} />
        {create.error && !wrong && <Failure error={create.error} />}
        <DialogButtons onBack={onClose} type="submit" loading={create.isPending} disabled={name.trim() === ''}>
          Make the key
        </DialogButtons>
      </form>
    </Dialog>
  );
}

export function Revoke({ apiKey, onClose }: Props) {
  const revoke = useOperation('deleteApiKey');
  return (
    <Confirm
      opened
      onClose={onClose}
      title={`Revoke “${apiKey.name}”?`}
      confirm="Revoke the key"
      destructive
      pending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate({ path: { id: apiKey.id } }, { onSuccess: onClose })}
    >
      Programs that use it are refused at once, everywhere. This cannot be undone; jobs that it ordered stay.
    </Confirm>
  );
}

/** The old key stays valid for a while, so that programs can change over. */
export function Rotate({ apiKey, onClose, onMade }: Props & { onMade: (made: Made) => void }) {
  const rotate = useOperation('rotateApiKey');
  const [hours, setHours] = useState(defaultOverlap);
  const run = () =>
    rotate.mutate(
      { path: { id: apiKey.id }, body: { overlap_hours: hours } },
      { onSuccess: ({ plaintext_key: secret }) => onMade({ name: apiKey.name, secret }) },
    );
  return (
    <Confirm
      opened
      onClose={onClose}
      title={`Replace “${apiKey.name}”?`}
      confirm="Make the new key"
      pending={rotate.isPending}
      error={rotate.error}
      onConfirm={run}
    >
      <div className="stack">
        <p>You get a new key with the same name and permissions. Replace the old one before it ends.</p>
        <Overlap label="The old key keeps working" hours={hours} onChange={setHours} />
      </div>
    </Confirm>
  );
}
