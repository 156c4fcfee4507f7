import { Radio } from '@mantine/core';
import { useState } from 'react';
import { may, operatorRoles, type OperatorRole } from '../../../contract/desk/operator-roles.ts';
import { type ListOperatorsResponses, useOperation } from '../../app/api.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { notify } from '../../ui/page/notify.ts';
import { operatorRoleWords } from '../../ui/job/operator-role-words.ts';
import { ClaimFields, sentClaims } from './claim-fields.tsx';

export type Operator = ListOperatorsResponses[200]['operators'][number];

type Props = { operator: Operator; lastOwner: boolean; onClose: () => void };

export function ChangeOperator({ operator, lastOwner, onClose }: Props) {
  const update = useOperation('updateOperator');
  const [role, setRole] = useState<OperatorRole>(operator.role);
  const [claims, setClaims] = useState({ families: operator.service_families ?? [], limit: operator.held_limit });
  const save = () =>
    update.mutate(
      {
        path: { id: operator.id },
        body: { ...(role === operator.role ? {} : { role }), ...sentClaims(claims) },
      },
      { onSuccess: () => (onClose(), notify(`Changed ${operator.name}.`)) },
    );
  return (
    <FormDialog
      onClose={onClose}
      title={`Change ${operator.name}`}
      submit="Save"
      onSubmit={save}
      action={update}
      disabled={claims.limit < 1}
    >
      <RoleChoice value={role} onChange={setRole} locked={lastOwner} />
      {may(operator.role, 'manage_records') && !may(role, 'manage_records') && (
        <div className="note turn">Worker keys and invitations that {operator.name} made end at once.</div>
      )}
      <ClaimFields value={claims} onChange={setClaims} />
    </FormDialog>
  );
}

type RoleChoiceProps = { value: OperatorRole; onChange: (role: OperatorRole) => void; locked?: boolean };

export const RoleChoice = ({ value, onChange, locked = false }: RoleChoiceProps) => (
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
