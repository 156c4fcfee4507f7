import { cleanEmail } from '../../../contract/typed.ts';
import { useOperation } from '../../app/api.ts';
import { Proof } from '../../app/session/proof.tsx';
import { EmailInput } from '../../ui/form/fields.tsx';
import { NewPassword } from '../../ui/form/new-password.tsx';
import { PageForm } from '../../ui/form/page-form.tsx';
import { useFields } from '../../ui/form/use-fields.ts';
import { notify } from '../../ui/page/page.tsx';

export function EmailForm() {
  const action = useOperation('changeEmail');
  const { fields, field, change } = useFields({ email: '', password: '', code: '' }, action.error);
  const { code, ...required } = fields;
  if (action.isSuccess)
    return (
      <div className="note good" role="status">
        A mail with a button is on its way to {cleanEmail(fields.email)}. Open it in this browser.
      </div>
    );
  return (
    <PageForm
      submit="Change the address"
      onSubmit={() => action.mutate({ body: { ...required, ...(code ? { code } : {}) } })}
      action={action}
      fields={['email', 'password', 'code']}
      variant="default"
      mr="auto"
    >
      <EmailInput label="New address" {...field('email')} />
      <Proof password={fields.password} code={code} onChange={change} error={action.error} />
    </PageForm>
  );
}

export function PasswordForm({ onDone }: { onDone: () => void }) {
  const action = useOperation('changePassword');
  const { fields, field, change } = useFields({ password: '', code: '', next: '' }, action.error);
  const { password, code, next } = fields;
  const body = { current_password: password, new_password: next, ...(code ? { code } : {}) };
  const done = () => {
    onDone();
    notify('Your password is changed. Your other sessions have ended.');
  };
  return (
    <PageForm
      submit="Change the password"
      onSubmit={() => action.mutate({ body }, { onSuccess: done })}
      action={action}
      fields={['current_password', 'new_password', 'code']}
      variant="default"
      mr="auto"
    >
      <Proof password={password} code={code} onChange={change} error={action.error} />
      <NewPassword
        label="New password"
        description="At least ten characters. Your other sessions end."
        {...field('next', 'new_password')}
      />
    </PageForm>
  );
}
