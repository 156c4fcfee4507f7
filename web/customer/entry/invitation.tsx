import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import { AtelierError, operationQuery, useOperation } from '../../app/api.ts';
import { pathTo } from '../../ui/page/address.ts';
import { Entry } from '../../ui/page/entry.tsx';
import { Failure } from '../../ui/page/failure.tsx';
import { Loaded } from '../../ui/page/page.tsx';
import { roleWords } from '../../ui/job/words.ts';

/** Where the link of an invitation leads: who invites, and what stands between this person and joining. */
export function Invitation() {
  const { id = '' } = useParams({ strict: false });
  const read = useQuery(operationQuery('readInvitation', { path: { id } }));
  if (read.error instanceof AtelierError && read.error.status === 401) return <SignInFirst id={id} />;
  if (read.error instanceof AtelierError && read.error.status === 404) return <Unknown />;
  return (
    <Entry title="You are invited">
      <Loaded query={read} height={120}>
        {({ invitation: { account_name, inviter_name, role }, obstacle }) => (
          <>
            <p>
              {inviter_name} invites you to join <strong>{account_name}</strong> as {roleWords[role].toLowerCase()}.
            </p>
            {obstacle ? <Obstacle obstacle={obstacle} /> : <Answer id={id} />}
          </>
        )}
      </Loaded>
    </Entry>
  );
}

const obstacles = {
  other_address: ['This invitation is for another address.', 'Sign out, then in with the address it was sent to.'],
  email_unverified: ['Your address is not verified yet.', 'Verify it, then open this link again.'],
  not_open: ['This invitation is not open any more.', 'It was answered, canceled, or is older than two days.'],
} as const;

function Obstacle({ obstacle }: { obstacle: keyof typeof obstacles }) {
  const [what, step] = obstacles[obstacle];
  return (
    <div className="note turn">
      <strong>{what}</strong> {step}{' '}
      {obstacle === 'email_unverified' && <Link to={customerPages.verifyEmail}>Verify the address</Link>}
      {obstacle === 'not_open' && <Link to={customerPages.home}>Go to your jobs</Link>}
    </div>
  );
}

const Unknown = () => (
  <Entry
    title="This invitation is not open"
    lead="Its account may be gone, or a part of the link is missing. Ask for another invitation."
  >
    <Button component={Link} to={customerPages.home} fullWidth>
      Go to your jobs
    </Button>
  </Entry>
);

function Answer({ id }: { id: string }) {
  const accept = useOperation('acceptInvitation');
  const decline = useOperation('declineInvitation');
  const done = { onSuccess: () => location.assign(customerPages.home) };
  const error = accept.error ?? decline.error;
  return (
    <div className="stack">
      {error && <Failure error={error} />}
      <Button onClick={() => accept.mutate({ path: { id } }, done)} loading={accept.isPending} fullWidth>
        Join the account
      </Button>
      <Button
        variant="subtle"
        onClick={() => decline.mutate({ path: { id } }, done)}
        loading={decline.isPending}
        fullWidth
      >
        Decline
      </Button>
    </div>
  );
}

function SignInFirst({ id }: { id: string }) {
  const next = pathTo(customerPages.invitation, { id });
  return (
    <Entry
      title="You are invited"
      lead="Sign in with the address that the invitation was sent to, or create an account with it."
    >
      <Button component={Link} to={pathTo(customerPages.signIn, {}, { next })} fullWidth>
        Sign in
      </Button>
      <Button component={Link} to={pathTo(customerPages.signUp, {}, { next })} variant="default" fullWidth>
        Create an account
      </Button>
    </Entry>
  );
}
