import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { AtelierError, operationQuery } from '../../app/api.ts';
import { SignInForm } from '../../app/session/sign-in-form.tsx';
import { useAddress } from '../../ui/page/address.ts';
import { Entry } from '../../ui/page/entry.tsx';
import { Loaded } from '../../ui/page/page.tsx';
import { Consent } from './consent.tsx';

/** A program without a browser shows a code, which a person enters or compares here. */
export function Device() {
  const [{ user_code: code = '' }, setAddress] = useAddress<'user_code'>();
  const [done, setDone] = useState(false);
  const read = useQuery({
    ...operationQuery('readDevice', { query: { code } }),
    enabled: code !== '',
    staleTime: 'static',
  });
  const failed = read.error instanceof AtelierError ? read.error.status : null;
  if (done)
    return (
      <Entry title="Done">
        <p>Go back to the program. You can close this page.</p>
      </Entry>
    );
  if (failed === 401)
    return (
      <Entry title="Sign in to connect a program">
        <SignInForm onSignedIn={() => void read.refetch()} />
      </Entry>
    );
  if (code === '' || failed === 400)
    return <EnterCode wrong={failed === 400} onEntered={(user_code) => setAddress({ user_code })} />;
  return (
    <Entry title="Connect a program">
      <Loaded query={read} height={320}>
        {(wish) => <Consent wish={wish} code={code} onDecided={() => setDone(true)} />}
      </Loaded>
    </Entry>
  );
}

function EnterCode({ wrong, onEntered }: { wrong: boolean; onEntered: (code: string) => void }) {
  const [code, setCode] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onEntered(code.trim());
  };
  return (
    <Entry title="Enter the code" lead="Eight letters, which the program shows.">
      <form className="stack" onSubmit={submit}>
        <TextInput
          label="Code"
          autoComplete="off"
          maxLength={20}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={wrong ? 'No program waits with this code. A code is valid for ten minutes.' : null}
          data-autofocus
        />
        <Button type="submit" disabled={code.trim() === ''}>
          Go on
        </Button>
      </form>
    </Entry>
  );
}
