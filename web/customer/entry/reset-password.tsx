import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import { useOperation } from '../../app/api.ts';
import { Entry } from '../../ui/page/entry.tsx';
import { namesField } from '../../ui/form/form.ts';
import { NewPassword } from '../../ui/form/new-password.tsx';
import { PageForm } from '../../ui/form/page-form.tsx';
import { useFields } from '../../ui/form/use-fields.ts';
import { useMailToken } from './mail-token.ts';

export function ResetPassword() {
  const token = useMailToken();
  const reset = useOperation('resetPassword');
  const { fields, field } = useFields({ new_password: '' }, reset.error);
  const below = <Link to={customerPages.signIn}>Go to signing in</Link>;
  if (token === null)
    return (
      <Entry title="This link is incomplete" below={below}>
        <p>Open the link in the mail again, or ask for a new one.</p>
        <Button component={Link} to={customerPages.forgotPassword}>
          Ask for a new link
        </Button>
      </Entry>
    );
  if (namesField(reset.error, ['token'])) return <SpentLink askAt={customerPages.forgotPassword} below={below} />;
  if (reset.isSuccess)
    return (
      <Entry title="Your password is changed">
        <p className="second">All sessions have ended. Sign in with the new password.</p>
        <Button component={Link} to={customerPages.signIn}>
          Sign in
        </Button>
      </Entry>
    );
  return (
    <Entry title="Set a new password" below={below}>
      <PageForm
        submit="Set the password"
        onSubmit={() => reset.mutate({ body: { token, ...fields } })}
        action={reset}
        fields={['new_password']}
      >
        <NewPassword
          label="New password"
          description="At least ten characters. All your sessions end."
          {...field('new_password')}
          data-autofocus
        />
      </PageForm>
    </Entry>
  );
}

/** Replaces a page whose mailed link is no longer valid. */
export const SpentLink = ({ askAt, below }: { askAt: string; below?: ReactNode }) => (
  <Entry title="This link was used or has expired" below={below}>
    <Button component="a" href={askAt}>
      Ask for a new link
    </Button>
  </Entry>
);
