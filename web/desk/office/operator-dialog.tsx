import { NumberInput, Radio } from '@mantine/core';
import { useState } from 'react';
import { may, operatorRoles, type OperatorRole } from '../../../contract/desk/operator-roles.ts';
import { type Operator, useOperation } from '../../app/api.ts';
import { FormDialog } from '../../ui/dialog/dialog.tsx';
import { EmailInput } from '../../ui/form/fields.tsx';
import { fieldError, useMoveKey } from '../../ui/form/form.ts';
import { operatorRoleWords } from '../../ui/job/operator-role-words.ts';
import { notify } from '../../ui/page/page.tsx';
import { ServiceChoice } from './service-choice.tsx';

type Props = { operator: Operator | null; lastOwner: boolean; onClose: () => void };

/** Invites an operator, or changes one. */
export function OperatorDialog({ operator, lastOwner, onClose }: Props) {
  const invite = useOperation('inviteOperator');
  const update = useOperation('updateOperator');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<OperatorRole>(operator?.role ?? 'maker');
  const [families, setFamilies] = useState(operator?.service_families ?? []);
  const [limit, setLimit] = useState(operator?.held_limit ?? 10);
  const claims = { service_families: families.length === 0 ? null : families, held_limit: limit };
  const invitation = { email, role, ...claims };
  const idempotencyKey = useMoveKey(JSON.stringify(invitation));
  const finish = (message: string) => (onClose(), notify(message));
  const send = () =>
    invite.mutate(
      { body: invitation, idempotencyKey },
      { onSuccess: (sent) => finish(`An invitation is on its way to ${sent.operator_invitation.email}.`) },
    );
  const save = ({ id, name, role: before }: Operator) =>
    update.mutate(
      { path: { id }, body: { ...(role === before ? {} : { role }), ...claims } },
      { onSuccess: () => finish(`Changed ${name}.`) },
    );
  return (
    <FormDialog
      onClose={onClose}
      title={operator ? `Change ${operator.name}` : 'Invite an operator'}
      submit={operator ? 'Save' : 'Send the invitation'}
      onSubmit={() => (operator ? save(operator) : send())}
      action={operator ? update : invite}
      fields={['email']}
      disabled={limit < 1}
    >
      {!operator && (
        <EmailInput
          label="E-mail"
          description="They get a mail with a link, which works for 48 hours and asks for their password."
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={fieldError(invite.error, 'email')}
          data-autofocus
        />
      )}
      <RoleChoice value={role} onChange={setRole} locked={lastOwner} />
      {operator && may(operator.role, 'manage_records') && !may(role, 'manage_records') && (
        <div className="note turn">Worker keys and invitations that {operator.name} made end at once.</div>
      )}
      <ServiceChoice
        description="“Take next” gives only jobs of these services. Without a choice, it gives all."
        value={families}
        onChange={setFamilies}
      />
      <NumberInput
        label="Limit of jobs"
        description="“Take next” is refused while the operator holds so many."
        min={1}
        max={100}
        allowDecimal={false}
        value={limit}
        onChange={(value) => setLimit(Number(value))}
      />
    </FormDialog>
  );
}

type RoleChoiceProps = { value: OperatorRole; onChange: (role: OperatorRole) => void; locked: boolean };

const RoleChoice = ({ value, onChange, locked }: RoleChoiceProps) => (
  <Radio.Group
    label="Role"
    description={locked && 'The studio needs an owner: make somebody else an owner first.'}
    value={value}
    onChange={onChange}
  >
    <div className="stack-small" style={{ marginTop: 8 }}>
      {operatorRoles.map((role) => (
        <Radio
          key={role}
          value={role}
          label={operatorRoleWords[role].name}
          description={operatorRoleWords[role].may}
          disabled={locked && role !== value}
        />
      ))}
    </div>
  </Radio.Group>
);
