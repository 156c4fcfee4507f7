import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { customerPages } from '../contract/pages.ts';
import { operationQuery, useOperation } from './api.ts';
import { pathTo } from './ui/address.ts';
import { Failure } from './ui/failure.tsx';
import { fieldError } from './ui/form.tsx';

/** A new account of the person's own; the page is then about it. */
export function OpenAccount() {
  const open = useOperation('openAccount');
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    open.mutate({ body: { name: name.trim() } }, { onSuccess: () => location.assign('/') });
  };
  const wrong = fieldError(open.error, 'name');
  return (
    <form onSubmit={submit} className="stack">
      <TextInput
        label="Name of the account"
        description="Your company, or what the work is for."
        required
        withAsterisk={false}
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

/** Accounts that wait for this person's answer. */
export const useMyInvitations = () => useQuery(operationQuery('listMyInvitations')).data?.invitations ?? [];

export function InvitationLinks() {
  const invitations = useMyInvitations();
  return invitations.map(({ id, account_name: name, inviter_name: who }) => (
    <p key={id}>
      {who} invites you to <a href={pathTo(customerPages.invitation, { id })}>join {name}</a>.
    </p>
  ));
}
