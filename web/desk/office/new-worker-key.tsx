import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useOperation } from '../../app/api.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { expiryIn, KeyExpiry } from '../../ui/form/key-expiry.tsx';
import { ServiceChoice } from './service-choice.tsx';

type Props = { opened: boolean; onClose: () => void; onMade: (secret: string | null) => void };

export function NewWorkerKey({ opened, onClose, onMade }: Props) {
  const create = useOperation('createWorkerKey');
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<string[]>([]);
  const [days, setDays] = useState('');
  const run = () => {
    const body = {
      name: name.trim(),
      ...(chosen.length > 0 ? { service_families: chosen } : {}),
      ...expiryIn(days),
    };
    create.mutate(
      { body },
      {
        onSuccess: ({ plaintext_key: secret }) => {
          setName('');
          setChosen([]);
          setDays('');
          onClose();
          onMade(secret);
        },
      },
    );
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="New worker key"
      submit="Make the key"
      onSubmit={run}
      action={create}
      fields={['name']}
      disabled={name.trim() === ''}
    >
      <TextInput
        label="Name"
        description="Shown to operators wherever the worker holds a job."
        required
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={fieldError(create.error, 'name')}
        data-autofocus
      />
      <ServiceChoice
        description="It claims only jobs of these services. Without a choice, it claims all."
        value={chosen}
        onChange={setChosen}
      />
      <KeyExpiry days={days} onChange={setDays} />
    </FormDialog>
  );
}
