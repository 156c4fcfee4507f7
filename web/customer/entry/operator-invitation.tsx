import { useQuery } from '@tanstack/react-query';
import { AtelierError, operationQuery, type Output } from '../../app/api.ts';
import { operatorRoleWords, sayAllRights } from '../../ui/job/operator-role-words.ts';
import { Entry } from '../../ui/page/entry.tsx';
import { Loaded } from '../../ui/page/page.tsx';
import { studio } from '../../ui/shell/studio.ts';
import { AcceptOperatorInvitation } from './accept-operator-invitation.tsx';
import { NoPassword, UnknownInvitation } from './invited.tsx';
import { useMailToken } from './mail-token.ts';
import { SignOut } from './sign-out.tsx';

type Offer = Output<'readMailedOperatorInvitation'>;

export function OperatorInvitation() {
  const token = useMailToken();
  if (token === null) return <UnknownInvitation />;
  return <MailedInvitation token={token} />;
}

function MailedInvitation({ token }: { token: string }) {
  const read = useQuery(operationQuery('readMailedOperatorInvitation', { body: { token } }));
  const session = useQuery(operationQuery('readSession'));
  if (read.error instanceof AtelierError && read.error.status === 404) return <UnknownInvitation />;
  return (
    <Entry title="You are invited">
      <Loaded query={session.isPending ? { ...read, data: undefined } : read} height={320}>
        {(offer) => {
          // After signing out, the data is still that of the last answer.
          const signedInAs = session.error ? null : (session.data?.user.email ?? null);
          return (
            <>
              <OfferWords {...offer} />
              {signedInAs !== null && signedInAs !== offer.email ? (
                <div className="note turn">
                  <strong>You are signed in as {signedInAs}.</strong> The invitation is for the other address.{' '}
                  <SignOut onSignedOut={() => void session.refetch()}>Sign out</SignOut>
                </div>
              ) : (
                <>
                  <AcceptOperatorInvitation token={token} email={offer.email} signedUp={offer.signed_up} />
                  {offer.signed_up && <NoPassword then="then open the link of the invitation again." />}
                </>
              )}
            </>
          );
        }}
      </Loaded>
    </Entry>
  );
}

function OfferWords({ email, operator_invitation: { created_by, role } }: Offer) {
  return (
    <div className="stack-small">
      <p>
        {created_by.name} invites <strong>{email}</strong> to become an operator of {studio.name}, as{' '}
        <strong>{operatorRoleWords[role].name.toLowerCase()}</strong>.
      </p>
      <p className="second small">{sayAllRights(role)}</p>
    </div>
  );
}
