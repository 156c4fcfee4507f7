import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { AtelierError, useOperation } from '../api.ts';
import { EmailInput } from '../../ui/form/email-input.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { Failure } from '../../ui/page/failure.tsx';

type Props = {
  email?: string;
  /** Only this person may continue. */
  isFixed?: boolean;
  onSignedIn: (user: { email: string; email_verified: boolean }) => void;
};

export function SignInForm({ email: fixedEmail = '', isFixed = false, onSignedIn }: Props) {
  const signIn = useOperation('signIn');
  const [email, setEmail] = useState(fixedEmail);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate(
      { body: { email, password, ...(code ? { code } : {}) } },
      { onSuccess: ({ user }) => onSignedIn(user) },
    );
  };
  const failed = signIn.error instanceof AtelierError ? signIn.error.code : null;
  // The code field stays until the code is right.
  const needsCode = failed === 'second_factor_required' || code !== '';
  const wrong = signIn.error instanceof AtelierError && signIn.error.status === 401;
  return (
    <form onSubmit={submit} className="stack">
      <EmailInput
        label="E-mail"
        autoComplete="username"
        readOnly={isFixed}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={fieldError(signIn.error, 'email')}
        data-autofocus={fixedEmail === '' || undefined}
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        data-autofocus={fixedEmail !== '' || undefined}
        error={wrong ? 'The e-mail address or the password is wrong.' : null}
      />
      {needsCode && (
        <TextInput
          label="Code"
          description="The six digits of your authenticator, or a recovery code."
          autoComplete="one-time-code"
          required
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={failed === 'second_factor_required' && code !== '' && !signIn.isPending ? 'This code is wrong.' : null}
          autoFocus
        />
      )}
      {signIn.error && !wrong && failed !== 'second_factor_required' && (
        <Failure error={signIn.error} fields={['email']} />
      )}
      <Button type="submit" loading={signIn.isPending} fullWidth>
        Sign in
      </Button>
    </form>
  );
}
