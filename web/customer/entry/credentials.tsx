import { Button, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { cleanEmail } from '../../../contract/typed.ts';
import { useOperation } from '../../app/api.ts';
import { Proof } from '../../app/session/proof.tsx';
import { useSession } from '../../app/session/session.tsx';
import { Failure } from '../../ui/page/failure.tsx';
import { EmailInput } from '../../ui/form/email-input.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { Panel } from '../../ui/page/page.tsx';
import { notify } from '../../ui/page/notify.ts';

export function Email() {
  const { user } = useSession();
  const change = useOperation('changeEmail');
  const [fields, setFields] = useState({ email: '', password: '', code: '' });
  const body = { email: fields.email, password: fields.password, ...(fields.code ? { code: fields.code } : {}) };
  return (
    <Panel title="Your e-mail address" beside={<span className="second">{user.email}</span>}>
      {change.isSuccess ? (
        <div className="note good" role="status">
          A mail with a button is on its way to {cleanEmail(fields.email)}. Open it in this browser.
        </div>
      ) : (
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            change.mutate({ body });
          }}
        >
          <EmailInput
            label="New address"
            value={fields.email}
            onChange={(event) => setFields({ ...fields, email: event.currentTarget.value })}
            error={fieldError(change.error, 'email')}
          />
          <Proof
            password={fields.password}
            code={fields.code}
            onChange={(proof) => setFields({ ...fields, ...proof })}
            error={change.error}
          />
          {change.error && <Failure error={change.error} fields={['email', 'password', 'code']} />}
          <div>
            <Button type="submit" variant="default" loading={change.isPending}>
              Change the address
            </Button>
          </div>
        </form>
      )}
    </Panel>
  );
}

export function Password() {
  const change = useOperation('changePassword');
  const nothing = { password: '', code: '', next: '' };
  const [fields, setFields] = useState(nothing);
  const body = {
    current_password: fields.password,
    new_password: fields.next,
    ...(fields.code ? { code: fields.code } : {}),
  };
  const done = () => {
    setFields(nothing);
    notify('Your password is changed. Your other sessions have ended.');
  };
  return (
    <Panel title="Your password">
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate({ body }, { onSuccess: done });
        }}
      >
        <Proof
          password={fields.password}
          code={fields.code}
          onChange={(proof) => setFields({ ...fields, ...proof })}
          error={change.error}
        />
        <PasswordInput
          label="New password"
          description="At least ten characters. Your other sessions end."
          autoComplete="new-password"
          required
          minLength={10}
          maxLength={128}
          value={fields.next}
          onChange={(event) => setFields({ ...fields, next: event.currentTarget.value })}
          error={fieldError(change.error, 'new_password')}
        />
        {change.error && <Failure error={change.error} fields={['current_password', 'new_password', 'code']} />}
        <div>
          <Button type="submit" variant="default" loading={change.isPending}>
            Change the password
          </Button>
        </div>
      </form>
    </Panel>
  );
}
