import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { customerPages } from '../../contract/pages.ts';
import { AtelierError, operationQuery, useOperation } from '../api.ts';
import { pathTo } from '../ui/address.ts';
import { Entry } from '../ui/entry.tsx';
import { Failure } from '../ui/failure.tsx';
import { Loaded } from '../ui/page.tsx';

/** Where the link of an invitation leads: joining, or what stands between this person and it. */
export function Invitation() {
  const { id = '' } = useParams({ strict: false });
  const me = useQuery(operationQuery('readMe'));
  if (me.error instanceof AtelierError && me.error.status === 401) return <SignInFirst id={id} />;
  return (
    <Entry title="You are invited">
      <Loaded query={me} height={120}>
        {({ user }) => (
          <>
            <p>
              You are invited to join an account of Atelier. You are signed in as <strong>{user?.email}</strong>.
            </p>
            <Join id={id} />
          </>
        )}
      </Loaded>
    </Entry>
  );
}

function Join({ id }: { id: string }) {
  const accept = useOperation('acceptInvitation');
  const join = () => accept.mutate({ path: { id } }, { onSuccess: () => location.assign(customerPages.home) });
  const code = accept.error instanceof AtelierError ? accept.error.code : null;
  return (
    <div className="stack">
      {code === 'role_required' ? (
        <div className="note turn" role="alert">
          <strong>This invitation is for another address.</strong> Sign out, then sign in with the address that it was
          sent to.
        </div>
      ) : code === 'not_found' ? (
        <div className="note turn" role="alert">
          <strong>This invitation is not open any more.</strong> It was accepted, canceled, or is older than two days:
          ask for a new one.
        </div>
      ) : (
        accept.error && <Failure error={accept.error} />
      )}
      {code === 'email_unverified' && <Link to={customerPages.verifyEmail}>Verify your address</Link>}
      <Button onClick={join} loading={accept.isPending} fullWidth>
        Join the account
      </Button>
      <Button component={Link} to={customerPages.home} variant="subtle" fullWidth>
        Not now
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
