import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import { AtelierError, operationQuery, type Output } from '../../app/api.ts';
import { SignInForm } from '../../app/session/sign-in-form.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { roleWords } from '../../ui/job/words.ts';
import { Entry } from '../../ui/page/entry.tsx';
import { Loaded } from '../../ui/page/page.tsx';
import { AnswerInvitation } from './answer-invitation.tsx';
import { useMailToken } from './mail-token.ts';
import { SignOut } from './sign-out.tsx';
import { SignUpForm } from './sign-up.tsx';

export function Invitation() {
  const { id = '' } = useParams({ strict: false });
  const token = useMailToken();
  const read = useQuery(operationQuery('readInvitation', { path: { id } }));
  if (read.error instanceof AtelierError && read.error.status === 401)
    return token === null ? (
      <Entry
        title="You are invited"
        lead="Sign in with the address that was invited. If you have not signed up yet, open the link in its mail again."
      >
        <Button
          component={Link}
          to={pathTo(customerPages.signIn, {}, { next: pathTo(customerPages.invitation, { id }) })}
          fullWidth
        >
          Sign in
        </Button>
      </Entry>
    ) : (
      <EnterWithToken token={token} onSignedIn={() => void read.refetch()} />
    );
  if (read.error instanceof AtelierError && read.error.status === 404) return <UnknownInvitation />;
  return (
    <Entry title="You are invited">
      <Loaded query={read} height={120}>
        {({ invitation, obstacle }) => (
          <>
            <Invited invitation={invitation} />
            {obstacle === null || (obstacle === 'email_unverified' && token) ? (
              <AnswerInvitation id={id} token={token} />
            ) : (
              <Obstacle obstacle={obstacle} onSignedOut={() => void read.refetch()} />
            )}
          </>
        )}
      </Loaded>
    </Entry>
  );
}

const obstacles = {
  other_address: ['This invitation is for another address than the one you are signed in with.', ''],
  email_unverified: ['Your address is not verified yet.', 'Open the link in the mail of the invitation again, or'],
  not_open: ['This invitation is no longer open.', 'It was answered, canceled, or is older than two days.'],
} as const;

function Obstacle({ obstacle, onSignedOut }: { obstacle: keyof typeof obstacles; onSignedOut: () => void }) {
  const [what, step] = obstacles[obstacle];
  return (
    <div className="note turn">
      <strong>{what}</strong> {step}{' '}
      {obstacle === 'email_unverified' && <Link to={customerPages.verifyEmail}>ask for a mail to verify it</Link>}
      {obstacle === 'not_open' && <Link to={customerPages.home}>Go to your jobs</Link>}
      {obstacle === 'other_address' && <SignOut onSignedOut={onSignedOut}>Sign out</SignOut>}
    </div>
  );
}

/** The token from the mail gives the address and allows signing up as a member. */
function EnterWithToken({ token, onSignedIn }: { token: string; onSignedIn: () => void }) {
  const read = useQuery(operationQuery('readMailedInvitation', { body: { token } }));
  if (read.error instanceof AtelierError && read.error.status === 404) return <UnknownInvitation />;
  return (
    <Entry title="You are invited">
      <Loaded query={read} height={280}>
        {({ invitation, email, signed_up }) => (
          <>
            <Invited invitation={invitation} />
            {signed_up ? (
              <>
                <SignInForm email={email} isFixed onSignedIn={onSignedIn} />
                <NoPassword then="then sign in: the invitation waits for you there." />
              </>
            ) : (
              <SignUpForm invited={{ email, token }} onSignedUp={() => location.assign(customerPages.home)} />
            )}
          </>
        )}
      </Loaded>
    </Entry>
  );
}

type InvitedProps = { invitation: Output<'readInvitation' | 'readMailedInvitation'>['invitation'] };

const Invited = ({ invitation: { account_name, created_by, role } }: InvitedProps) => (
  <p>
    {created_by.name} invites you to join <strong>{account_name}</strong> as {roleWords[role].toLowerCase()}.
  </p>
);

export const NoPassword = ({ then }: { then: string }) => (
  <p className="second small">
    You never signed up with this address, or forgot the password?{' '}
    <Link to={customerPages.forgotPassword}>Reset the password</Link>, {then}
  </p>
);

export const UnknownInvitation = () => (
  <Entry
    title="This invitation is not open"
    lead="It was answered or canceled, is older than two days, or a part of the link is missing. Ask for another one."
  >
    <Button component={Link} to={customerPages.home} fullWidth>
      Go to your jobs
    </Button>
  </Entry>
);
