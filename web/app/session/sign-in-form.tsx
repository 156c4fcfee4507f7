import { PasswordInput, TextInput } from '@mantine/core';
import { useOperation } from '../api.ts';
import { EmailInput } from '../../ui/form/fields.tsx';
import { PageForm } from '../../ui/form/page-form.tsx';
import { useFields } from '../../ui/form/use-fields.ts';
import { rememberSignedIn } from './was-signed-in.ts';

type Props = {
  email?: string;
  /** Only this person may continue. */
  isFixed?: boolean;
  onSignedIn: (user: { email: string; email_verified: boolean }) => void;
};

export function SignInForm({ email = '', isFixed = false, onSignedIn }: Props) {
  const signIn = useOperation('signIn', ({ user }) => (rememberSignedIn(), onSignedIn(user)));
  const { error, isPending } = signIn;
  const { fields, field } = useFields({ email, password: '', code: '' }, error);
  const { code, ...person } = fields;
  const isWrong = error?.status === 401;
  const lacksCode = error?.code === 'second_factor_required';
  return (
    <PageForm
      submit="Sign in"
      onSubmit={() => signIn.mutate({ body: { ...person, ...(code && { code }) } })}
      action={{ isPending, error: isWrong || lacksCode ? null : error }}
      fields={['email']}
      fullWidth
    >
      <EmailInput
        label="E-mail"
        autoComplete="username"
        readOnly={isFixed}
        {...field('email')}
        data-autofocus={email === '' || undefined}
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        required
        {...field('password')}
        data-autofocus={email !== '' || undefined}
        error={isWrong ? 'The e-mail address or the password is wrong.' : null}
      />
      {/* Stays until the code is right. */}
      {(lacksCode || code !== '') && (
        <TextInput
          label="Code"
          description="The six digits of your authenticator, or a recovery code."
          autoComplete="one-time-code"
          required
          {...field('code')}
          error={lacksCode && code !== '' && !isPending ? 'This code is wrong.' : null}
          autoFocus
        />
      )}
    </PageForm>
  );
}
