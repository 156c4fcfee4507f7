import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { queryClient, useOperation } from '../api.ts';
import { Entry } from '../../ui/page/entry.tsx';
import { Failure } from '../../ui/page/failure.tsx';
import { fieldError } from '../../ui/form/form.ts';

/** For a person whose address somebody else had signed up with. */
export function ChooseName({ ownsAccount }: { ownsAccount: boolean }) {
  const rename = useOperation('renameAccount');
  const change = useOperation('changeProfile');
  const [name, setName] = useState('');
  const [account, setAccount] = useState('');
  const chooseName = () =>
    change.mutate(
      { body: { name: name.trim() } },
      { onSuccess: () => void queryClient.invalidateQueries({ queryKey: ['readSession'] }) },
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!ownsAccount) return chooseName();
    // The person's name comes last, because it closes this dialog.
    return rename.mutate({ body: { name: account.trim() } }, { onSuccess: chooseName });
  };
  const [wrongName, wrongAccount] = [fieldError(change.error, 'name'), fieldError(rename.error, 'name')];
  const error = change.error ?? rename.error;
  return (
    <Entry
      title="What is your name?"
      lead="Somebody else signed up with your address before you verified it. The names that they chose were removed."
    >
      <form onSubmit={submit} className="stack">
        <TextInput
          label="Your name"
          autoComplete="name"
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={wrongName}
          data-autofocus
        />
        {ownsAccount && (
          <TextInput
            label="Name of the account"
            description="Your company, or what the work is for."
            required
            maxLength={100}
            value={account}
            onChange={(event) => setAccount(event.currentTarget.value)}
            error={wrongAccount}
          />
        )}
        {error && !wrongName && !wrongAccount && <Failure error={error} />}
        <Button type="submit" loading={rename.isPending || change.isPending}>
          Go on
        </Button>
      </form>
    </Entry>
  );
}
