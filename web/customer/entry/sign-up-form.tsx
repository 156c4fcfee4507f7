import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useOperation } from '../../app/api.ts';
import { Failure } from '../../ui/page/failure.tsx';
import { EmailInput } from '../../ui/form/email-input.tsx';
import { fieldError } from '../../ui/form/form.ts';

type Props = {
  /** From the token of a mail: the address is fixed, and signing up joins the account. */
  invited?: { email: string; token: string };
  onSignedUp: () => void;
};

export function SignUpForm({ invited, onSignedUp }: Props) {
  const signUp = useOperation('signUp');
  const [fields, setFields] = useState({ name: '', email: invited?.email ?? '', password: '' });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { ...fields, ...(invited ? { invitation_token: invited.token } : {}) };
    signUp.mutate({ body }, { onSuccess: onSignedUp });
  };
  const field = (name: keyof typeof fields) => ({
    required: true,
    withAsterisk: false,
    value: fields[name],
    onChange: (event: { currentTarget: HTMLInputElement }) => {
      const { value } = event.currentTarget;
      setFields((before) => ({ ...before, [name]: value }));
    },
    error: fieldError(signUp.error, name),
  });
  return (
    <form onSubmit={submit} className="stack">
      <TextInput label="Your name" autoComplete="name" maxLength={100} {...field('name')} />
      <EmailInput
        label="E-mail"
        autoComplete="username"
        readOnly={Boolean(invited)}
        description={invited ? 'The address that the invitation was sent to.' : null}
        {...field('email')}
      />
      <PasswordInput
        label="Password"
        description="At least ten characters."
        autoComplete="new-password"
        minLength={10}
        maxLength={128}
        {...field('password')}
      />
      {signUp.error && <Failure error={signUp.error} fields={['name', 'email', 'password']} />}
      <Button type="submit" loading={signUp.isPending} fullWidth>
        {invited ? 'Sign up and join' : 'Create the account'}
      </Button>
    </form>
  );
}
