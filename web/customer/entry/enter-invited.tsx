import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import { AtelierError, operationQuery } from '../../app/api.ts';
import { pathTo } from '../../ui/page/address.ts';
import { Entry } from '../../ui/page/entry.tsx';
import { Loaded } from '../../ui/page/page.tsx';
import { SignInForm } from '../../app/session/sign-in-form.tsx';
import { Invited, NoPassword, UnknownInvitation } from './invited.tsx';
import { SignUpForm } from './sign-up-form.tsx';

type Props = { id: string; token: string | null; onSignedIn: () => void };

/** The token from the mail gives the address and allows signing up as a member. */
export const EnterInvited = ({ id, token, onSignedIn }: Props) =>
  token === null ? <SignInFirst id={id} /> : <EnterWithToken token={token} onSignedIn={onSignedIn} />;

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

function SignInFirst({ id }: { id: string }) {
  const next = pathTo(customerPages.invitation, { id });
  return (
    <Entry
      title="You are invited"
      lead="Sign in with the address that was invited. If you have not signed up yet, open the link in its mail again."
    >
      <Button component={Link} to={pathTo(customerPages.signIn, {}, { next })} fullWidth>
        Sign in
      </Button>
    </Entry>
  );
}
