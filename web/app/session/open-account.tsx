import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useOperation } from '../api.ts';
import { Failure } from '../../ui/page/failure.tsx';
import { fieldError } from '../../ui/form/form.ts';

/** Opens an account and switches to it. */
export function OpenAccount() {
  const open = useOperation('openAccount', () => location.assign('/'));
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    open.mutate({ body: { name: name.trim() } });
  };
  const wrong = fieldError(open.error, 'name');
  return (
    <form onSubmit={submit} className="stack">
      <TextInput
        label="Name of the account"
        description="Your company, or what the work is for."
        required
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={wrong}
        data-autofocus
      />
      {open.error && !wrong && <Failure error={open.error} />}
      <Button type="submit" loading={open.isPending} disabled={name.trim() === ''}>
        Open the account
      </Button>
    </form>
  );
}
