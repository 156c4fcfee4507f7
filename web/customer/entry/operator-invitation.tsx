import { useQuery } from '@tanstack/react-query';
import { AtelierError, operationQuery, type Output, useOperation } from '../../app/api.ts';
import { operatorRoleWords, sayAllRights } from '../../ui/job/operator-role-words.ts';
import { Entry } from '../../ui/page/entry.tsx';
import { Loaded } from '../../ui/page/page.tsx';
import { studio } from '../../ui/shell/studio.ts';
import { AcceptOperatorInvitation } from './accept-operator-invitation.tsx';
import { useMailToken } from './mail-token.ts';
import { UnknownInvitation } from './unknown-invitation.tsx';

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
                <OtherPerson email={signedInAs} onSignedOut={() => void session.refetch()} />
              ) : (
                <AcceptOperatorInvitation token={token} email={offer.email} signedUp={offer.signed_up} />
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

function OtherPerson({ email, onSignedOut }: { email: string; onSignedOut: () => void }) {
  const signOut = useOperation('signOut');
  return (
    <div className="note turn">
      <strong>You are signed in as {email}.</strong> The invitation is for the other address.{' '}
      <button type="button" className="link-button" onClick={() => signOut.mutate({}, { onSuccess: onSignedOut })}>
        Sign out
      </button>
    </div>
  );
}
