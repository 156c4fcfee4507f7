import { TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useOperation } from '../../app/api.ts';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { Failure } from '../../ui/page/failure.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { expiryIn, KeyExpiry } from '../../ui/form/key-expiry.tsx';
import { ServiceChoice } from './service-choice.tsx';

type Props = { opened: boolean; onClose: () => void; onMade: (secret: string | null) => void };

export function NewWorkerKey({ opened, onClose, onMade }: Props) {
  const create = useOperation('createWorkerKey');
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<string[]>([]);
  const [days, setDays] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
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
  const wrong = fieldError(create.error, 'name');
  return (
    <Dialog opened={opened} onClose={onClose} title="New worker key">
      <form className="stack" onSubmit={submit}>
        <TextInput
          label="Name"
          description="Shown to operators wherever the worker holds a job."
          required
          withAsterisk={false}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={wrong}
          data-autofocus
        />
        <ServiceChoice
          description="It claims only jobs of these services. Without a choice, it claims all."
          value={chosen}
          onChange={setChosen}
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
