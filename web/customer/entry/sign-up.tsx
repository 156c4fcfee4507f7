import { Button, PasswordInput, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import { useOperation } from '../../app/api.ts';
import { ownAddress, pathTo, useAddress } from '../../ui/page/address.ts';
import { Entry } from '../../ui/page/entry.tsx';
import { Failure } from '../../ui/page/failure.tsx';
import { fieldError } from '../../ui/form/form.ts';

export function SignUp() {
  const [{ next }] = useAddress<'next'>();
  const signUp = useOperation('signUp');
  const [fields, setFields] = useState({ name: '', email: '', password: '' });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signUp.mutate({ body: fields }, { onSuccess: () => location.assign(ownAddress(next, location.origin)) });
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
    <Entry
      title="Create an account"
      lead="You can look around at once; ordering needs a plan."
      below={
        <>
          You have one? <Link to={pathTo(customerPages.signIn, {}, next ? { next } : {})}>Sign in</Link>
        </>
      }
    >
      <form onSubmit={submit} className="stack">
        <TextInput label="Your name" autoComplete="name" maxLength={100} {...field('name')} />
        <TextInput label="E-mail" type="email" autoComplete="username" {...field('email')} />
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
          Create the account
        </Button>
      </form>
    </Entry>
  );
}
