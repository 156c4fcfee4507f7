import { TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import { useOperation } from '../../app/api.ts';
import { rememberSignedIn } from '../../app/session/was-signed-in.ts';
import { EmailInput } from '../../ui/form/fields.tsx';
import { NewPassword } from '../../ui/form/new-password.tsx';
import { PageForm } from '../../ui/form/page-form.tsx';
import { useFields } from '../../ui/form/use-fields.ts';
import { ownAddress, pathTo, useAddress } from '../../ui/page/address.ts';
import { Entry } from '../../ui/page/entry.tsx';

export function SignUp() {
  const [{ next }] = useAddress<'next'>();
  return (
    <Entry
      title="Create an account"
      lead="You can look around at once; ordering needs a plan."
      below={
        <>
          Already have an account? <Link to={pathTo(customerPages.signIn, {}, next ? { next } : {})}>Sign in</Link>
        </>
      }
    >
      <SignUpForm onSignedUp={() => location.assign(ownAddress(next, location.origin))} />
    </Entry>
  );
}

type Props = {
  /** From the token of a mail: the address is fixed, and signing up joins the account. */
  invited?: { email: string; token: string };
  onSignedUp: () => void;
};

export function SignUpForm({ invited, onSignedUp }: Props) {
  const signUp = useOperation('signUp');
  const { fields, field } = useFields(
    { name: '', account_name: '', email: invited?.email ?? '', password: '' },
    signUp.error,
  );
  const { account_name: company, ...person } = fields;
  const body = {
    ...person,
    ...(company.trim() === '' ? {} : { account_name: company }),
    ...(invited ? { invitation_token: invited.token } : {}),
  };
  return (
    <PageForm
      submit={invited ? 'Sign up and join' : 'Create the account'}
      onSubmit={() => signUp.mutate({ body }, { onSuccess: () => (rememberSignedIn(), onSignedUp()) })}
      action={signUp}
      fields={['name', 'account_name', 'email', 'password']}
    >
      <TextInput label="Your name" autoComplete="name" maxLength={100} required {...field('name')} />
      {!invited && (
        <TextInput
          label="Company, or what the work is for"
          description="Names the account. Your colleagues and the studio see it; you can change it later."
          autoComplete="organization"
          maxLength={100}
          {...field('account_name')}
        />
      )}
      <EmailInput
        label="E-mail"
        autoComplete="username"
        readOnly={Boolean(invited)}
        description={invited ? 'The address that the invitation was sent to.' : null}
        {...field('email')}
      />
      <NewPassword label="Password" description="At least ten characters." {...field('password')} />
    </PageForm>
  );
}
