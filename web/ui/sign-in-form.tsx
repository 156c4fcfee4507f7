import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { AtelierError, useOperation } from '../api.ts';
import { Failure } from './failure.tsx';

type Props = { email?: string; onSignedIn: (user: { email: string; email_verified: boolean }) => void };

/** E-mail and password, and where the person has a second factor its code as the next step. */
export function SignInForm({ email: known = '', onSignedIn }: Props) {
  const signIn = useOperation('signIn');
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate({ body: { email, password } }, { onSuccess: ({ user }) => onSignedIn(user) });
  };
  const wrong = signIn.error instanceof AtelierError && signIn.error.status === 401;
  return (
    <form onSubmit={submit} className="stack">
      <TextInput
        label="E-mail"
        type="email"
        autoComplete="username"
        required
        withAsterisk={false}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        data-autofocus={known === '' || undefined}
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        data-autofocus={known !== '' || undefined}
        error={wrong ? 'E-mail and password do not belong together.' : null}
      />
      {signIn.error && !wrong && <Failure error={signIn.error} />}
      <Button type="submit" loading={signIn.isPending} fullWidth>
        Sign in
      </Button>
    </form>
  );
}
