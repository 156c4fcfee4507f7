import { Button, PasswordInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import { AtelierError, operationQuery, useOperation } from '../../app/api.ts';
import { pathTo } from '../../ui/page/address.ts';
import { Entry } from '../../ui/page/entry.tsx';
import { namesField } from '../../ui/form/form.ts';
import { PageForm } from '../../ui/form/page-form.tsx';
import { MailboxHint } from '../../app/mailbox-hint.tsx';
import { useMailToken } from './mail-token.ts';
import { SpentLink } from './reset-password.tsx';

/** Verifies in the session of the person who signed up, or with their password. */
export function VerifyEmail() {
  const token = useMailToken();
  return token === null ? <AskForMail /> : <Verify token={token} />;
}

function Verify({ token }: { token: string }) {
  const verify = useOperation('verifyEmail');
  const [password, setPassword] = useState('');
  const stranger = verify.error instanceof AtelierError && verify.error.status === 401;
  const run = () => verify.mutate({ body: { token, ...(password ? { password } : {}) } });
  if (namesField(verify.error, ['token'])) return <SpentLink askAt={customerPages.verifyEmail} />;
  if (verify.isSuccess) return <Verified />;
  return (
    <Entry title="Verify your e-mail address" lead="Press the button if you signed up with this address.">
      <PageForm
        submit="This address is mine"
        onSubmit={run}
        action={{ isPending: verify.isPending, error: stranger ? null : verify.error }}
      >
        {stranger && (
          <PasswordInput
            label="Your password"
            description="You are not signed in here, so please confirm that it is you."
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={password && verify.error ? 'This is not the password of that address.' : null}
          />
        )}
      </PageForm>
    </Entry>
  );
}

/** The person may have verified the address to accept an invitation. */
function Verified() {
  const { data, isPending } = useQuery(operationQuery('listMyInvitations'));
  const [invitation] = data?.invitations ?? [];
  const to = invitation ? pathTo(customerPages.invitation, { id: invitation.id }) : customerPages.home;
  return (
    <Entry title="Your address is verified">
      <Button component={Link} to={to} loading={isPending}>
        {invitation ? 'Continue to your invitation' : 'Go on'}
      </Button>
    </Entry>
  );
}

function AskForMail() {
  const send = useOperation('sendVerificationEmail');
  return (
    <Entry
      title="Verify your e-mail address"
      lead="Open the link in the mail that we sent you; it works for an hour. Until then you can look around, but change nothing."
      below={<Link to={customerPages.home}>Back to the start</Link>}
    >
      {send.isSuccess ? (
        <div className="note good" role="status">
          Another mail is on its way.
          <MailboxHint />
        </div>
      ) : (
        <>
          <MailboxHint />
          <PageForm submit="Send another mail" onSubmit={() => send.mutate({})} action={send} variant="default" />
        </>
      )}
    </Entry>
  );
}
