import { PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { deskPages } from '../../../contract/pages.ts';
import { AtelierError, operationQuery, useOperation } from '../../app/api.ts';
import { PageForm } from '../../ui/form/page-form.tsx';
import { useFields } from '../../ui/form/use-fields.ts';
import { operatorRoleWords, sayAllRights } from '../../ui/job/operator-role-words.ts';
import { Entry } from '../../ui/page/entry.tsx';
import { Loaded } from '../../ui/page/page.tsx';
import { studio } from '../../ui/shell/studio.ts';
import { NoPassword, UnknownInvitation } from './invitation.tsx';
import { useMailToken } from './mail-token.ts';
import { SignOut } from './sign-out.tsx';

export function OperatorInvitation() {
  const token = useMailToken();
  return token === null ? <UnknownInvitation /> : <MailedInvitation token={token} />;
}

function MailedInvitation({ token }: { token: string }) {
  const read = useQuery(operationQuery('readMailedOperatorInvitation', { body: { token } }));
  const session = useQuery(operationQuery('readSession'));
  if (read.error instanceof AtelierError && read.error.status === 404) return <UnknownInvitation />;
  return (
    <Entry title="You are invited">
      <Loaded query={session.isPending ? { ...read, data: undefined } : read} height={320}>
        {(offer) => {
          const { created_by, role } = offer.operator_invitation;
          // After signing out, the data is still that of the last answer.
          const signedInAs = session.error ? null : (session.data?.user.email ?? null);
          return (
            <>
              <div className="stack-small">
                <p>
                  {created_by.name} invites <strong>{offer.email}</strong> to become an operator of {studio.name}, as{' '}
                  <strong>{operatorRoleWords[role].name.toLowerCase()}</strong>.
                </p>
                <p className="second small">{sayAllRights(role)}</p>
              </div>
              {signedInAs !== null && signedInAs !== offer.email ? (
                <div className="note turn">
                  <strong>You are signed in as {signedInAs}.</strong> The invitation is for the other address.{' '}
                  <SignOut onSignedOut={() => void session.refetch()}>Sign out</SignOut>
                </div>
              ) : (
                <>
                  <AcceptInvitation token={token} email={offer.email} signedUp={offer.signed_up} />
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

/** Asks for the password in any case: a session may be left open. */
function AcceptInvitation({ token, email, signedUp }: { token: string; email: string; signedUp: boolean }) {
  const accept = useOperation('acceptOperatorInvitation', () => location.assign(deskPages.queue));
  const { fields, field } = useFields({ name: '', password: '', code: '' }, accept.error);
  const { name, password, code } = fields;
  const body = { token, password, ...(!signedUp && { name }), ...(code && { code }) };
  const failed = accept.error instanceof AtelierError ? accept.error.code : null;
  const isWrong = failed === 'unauthenticated';
  const asksCode = failed === 'second_factor_required';
  return (
    <PageForm
      submit={signedUp ? 'Accept and open the desk' : 'Sign up and open the desk'}
      onSubmit={() => accept.mutate({ body })}
      action={{ isPending: accept.isPending, error: isWrong || asksCode ? null : accept.error }}
      fields={['name', 'password']}
    >
      {!signedUp && <TextInput label="Your name" autoComplete="name" maxLength={100} required {...field('name')} />}
      <TextInput label="E-mail" type="email" autoComplete="username" readOnly value={email} />
      <PasswordInput
        label={signedUp ? 'Your password' : 'Password'}
        description={signedUp ? 'You are signed in here anew. Your other sessions end.' : 'At least ten characters.'}
        autoComplete={signedUp ? 'current-password' : 'new-password'}
        required
        minLength={signedUp ? 1 : 10}
        maxLength={128}
        {...field('password')}
        {...(isWrong ? { error: 'This is not the password of this address.' } : {})}
      />
      {/* The field stays until the code is right. */}
      {(asksCode || code !== '') && (
        <TextInput
          label="Code"
          description="The six digits of your authenticator, or a recovery code."
          autoComplete="one-time-code"
          required
          {...field('code')}
          error={asksCode && code !== '' ? 'This code is wrong.' : null}
          autoFocus
        />
      )}
    </PageForm>
  );
}
