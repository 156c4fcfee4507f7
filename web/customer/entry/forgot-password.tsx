import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import { useOperation } from '../../app/api.ts';
import { EmailInput } from '../../ui/form/email-input.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { Entry } from '../../ui/page/entry.tsx';
import { Failure } from '../../ui/page/failure.tsx';
import { MailboxHint } from '../../app/mailbox-hint.tsx';

export function ForgotPassword() {
  const request = useOperation('requestPasswordReset');
  const [email, setEmail] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    request.mutate({ body: { email } });
  };
  return (
    <Entry title="Forgot your password?" below={<Link to={customerPages.signIn}>Back to signing in</Link>}>
      {request.isSuccess ? (
        <div className="note good" role="status">
          If there is an account with this address, a mail with a link is on its way. The link works for an hour.
          <MailboxHint />
        </div>
      ) : (
        <form onSubmit={submit} className="stack">
          <EmailInput
            label="E-mail"
            description="We send you a link to set a new one."
            autoComplete="username"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={fieldError(request.error, 'email')}
            data-autofocus
          />
          {request.error && <Failure error={request.error} fields={['email']} />}
          <Button type="submit" loading={request.isPending} fullWidth>
            Send the link
          </Button>
        </form>
      )}
    </Entry>
  );
}
