import { PasswordInput, TextInput } from '@mantine/core';
import { deskPages } from '../../../contract/pages.ts';
import { AtelierError, useOperation } from '../../app/api.ts';
import { PageForm } from '../../ui/form/page-form.tsx';
import { useFields } from '../../ui/form/use-fields.ts';

type Props = { token: string; email: string; signedUp: boolean };

/** Asks for the password in any case: a session may be left open. */
export function AcceptOperatorInvitation({ token, email, signedUp }: Props) {
  const accept = useOperation('acceptOperatorInvitation', () => location.assign(deskPages.queue));
  const { fields, field } = useFields({ name: '', password: '', code: '' }, accept.error);
  const { name, password, code } = fields;
  const run = () =>
    accept.mutate({ body: { token, password, ...(signedUp ? {} : { name }), ...(code ? { code } : {}) } });
  const failed = accept.error instanceof AtelierError ? accept.error.code : null;
  const isWrong = failed === 'unauthenticated';
  const asksCode = failed === 'second_factor_required';
  // The field stays until the code is right.
  const needsCode = asksCode || code !== '';
  const { isPending, error } = accept;
  return (
    <PageForm
      submit={signedUp ? 'Accept and open the desk' : 'Sign up and open the desk'}
      onSubmit={run}
      action={{ isPending, error: isWrong || asksCode ? null : error }}
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
      {needsCode && (
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
