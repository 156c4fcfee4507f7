import { Button, PasswordInput, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { customerPages, deskPages } from '../../../contract/pages.ts';
import { AtelierError, useOperation } from '../../app/api.ts';
import { fieldError } from '../../ui/form/form.ts';
import { Failure } from '../../ui/page/failure.tsx';

type Props = { token: string; email: string; signedUp: boolean };

/** Asks for the password in any case: a session may be left open. */
export function AcceptOperatorInvitation({ token, email, signedUp }: Props) {
  const accept = useOperation('acceptOperatorInvitation', () => location.assign(deskPages.queue));
  const [{ name, password, code }, setFields] = useState({ name: '', password: '', code: '' });
  const set = (field: 'name' | 'password' | 'code') => (event: { currentTarget: HTMLInputElement }) => {
    const { value } = event.currentTarget;
    setFields((before) => ({ ...before, [field]: value }));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { token, password, ...(signedUp ? {} : { name }), ...(code ? { code } : {}) };
    accept.mutate({ body });
  };
  const { error } = accept;
  const failed = error instanceof AtelierError ? error.code : null;
  const isWrong = failed === 'unauthenticated';
  // The code field stays until the code is right.
  const needsCode = failed === 'second_factor_required' || code !== '';
  const required = { required: true, withAsterisk: false };
  return (
    <form className="stack" onSubmit={submit}>
      {!signedUp && (
        <TextInput
          label="Your name"
          autoComplete="name"
          maxLength={100}
          {...required}
          value={name}
          onChange={set('name')}
          error={fieldError(error, 'name')}
        />
      )}
      <TextInput label="E-mail" type="email" autoComplete="username" readOnly value={email} />
      <PasswordInput
        label={signedUp ? 'Your password' : 'Password'}
        description={signedUp ? 'You are signed in here anew. Your other sessions end.' : 'At least ten characters.'}
        autoComplete={signedUp ? 'current-password' : 'new-password'}
        {...required}
        minLength={signedUp ? 1 : 10}
        maxLength={128}
        value={password}
        onChange={set('password')}
        error={isWrong ? 'This is not the password of this address.' : fieldError(error, 'password')}
      />
      {needsCode && (
        <TextInput
          label="Code"
          description="The six digits of your authenticator, or a recovery code."
          autoComplete="one-time-code"
          {...required}
          value={code}
          onChange={set('code')}
          error={failed === 'second_factor_required' && code !== '' ? 'This code is wrong.' : null}
          autoFocus
        />
      )}
      {error && !isWrong && failed !== 'second_factor_required' && (
        <Failure error={error} fields={['name', 'password']} />
      )}
      <Button type="submit" loading={accept.isPending} fullWidth>
        {signedUp ? 'Accept and open the desk' : 'Sign up and open the desk'}
      </Button>
      {signedUp && <NoPassword />}
    </form>
  );
}

const NoPassword = () => (
  <p className="second small">
    You never signed up with this address, or forgot the password?{' '}
    <Link to={customerPages.forgotPassword}>Reset the password</Link>, then open the link of the invitation again.
  </p>
);
