import { Link } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import { useOperation } from '../../app/api.ts';
import { EmailInput } from '../../ui/form/fields.tsx';
import { PageForm } from '../../ui/form/page-form.tsx';
import { useFields } from '../../ui/form/use-fields.ts';
import { Entry } from '../../ui/page/entry.tsx';
import { MailboxHint } from '../../app/mailbox-hint.tsx';

export function ForgotPassword() {
  const request = useOperation('requestPasswordReset');
  const { fields, field } = useFields({ email: '' }, request.error);
  return (
    <Entry title="Forgot your password?" below={<Link to={customerPages.signIn}>Back to signing in</Link>}>
      {request.isSuccess ? (
        <div className="note good" role="status">
          If there is an account with this address, a mail with a link is on its way. The link works for an hour.
          <MailboxHint />
        </div>
      ) : (
        <PageForm
          submit="Send the link"
          onSubmit={() => request.mutate({ body: fields })}
          action={request}
          fields={['email']}
        >
          <EmailInput
            label="E-mail"
            description="We send you a link to set a new one."
            autoComplete="username"
            {...field('email')}
            data-autofocus
          />
        </PageForm>
      )}
    </Entry>
  );
}
