import { useOperation } from '../../app/api.ts';
import { Proof } from '../../app/session/proof.tsx';
import { useSession } from '../../app/session/session.tsx';
import { SetUpSecondFactor } from '../../app/session/set-up-second-factor.tsx';
import { PageForm } from '../../ui/form/page-form.tsx';
import { useFields } from '../../ui/form/use-fields.ts';
import { Row } from './settings-row.tsx';

export function SecondFactor() {
  const { user } = useSession();
  return (
    <Row
      term="Second factor"
      value={user.second_factor ? 'On' : 'Off'}
      more={user.second_factor ? 'authenticator app' : 'six digits from your phone, besides the password'}
      verb={user.second_factor ? 'Change' : 'Set up'}
    >
      {() => (user.second_factor ? <SwitchOff /> : <SetUpSecondFactor />)}
    </Row>
  );
}

function SwitchOff() {
  const end = useOperation('endSecondFactor');
  const { fields, change } = useFields({ password: '', code: '' }, end.error);
  return (
    <PageForm
      submit="Switch it off"
      onSubmit={() => end.mutate({ body: fields })}
      action={end}
      fields={['password', 'code']}
      variant="subtle"
      color="bad"
      mr="auto"
    >
      <Proof {...fields} onChange={change} error={end.error} />
    </PageForm>
  );
}
