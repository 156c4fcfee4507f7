import { NumberInput, Radio } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { may, operatorRoles, type OperatorRole } from '../../../contract/operator-roles.ts';
import { type ListOperatorsResponses, useOperation } from '../../app/api.ts';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { Failure } from '../../ui/page/failure.tsx';
import { notify } from '../../ui/page/notify.ts';
import { operatorRoleWords } from './role-words.ts';
import { ServiceChoice } from './service-choice.tsx';

export type Operator = ListOperatorsResponses[200]['operators'][number];

type Props = { operator: Operator; lastOwner: boolean; onClose: () => void };

export function ChangeOperator({ operator, lastOwner, onClose }: Props) {
  const update = useOperation('updateOperator');
  const [role, setRole] = useState<OperatorRole>(operator.role);
  const [families, setFamilies] = useState<string[]>(operator.service_families ?? []);
  const [limit, setLimit] = useState(operator.held_limit);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const service_families = families.length === 0 ? null : families;
    update.mutate(
      {
        path: { id: operator.id },
        body: { ...(role === operator.role ? {} : { role }), service_families, held_limit: limit },
      },
      { onSuccess: () => (onClose(), notify(`Changed ${operator.name}.`)) },
    );
  };
  return (
    <Dialog opened onClose={onClose} title={`Change ${operator.name}`}>
      <form className="stack" onSubmit={submit}>
        <RoleChoice value={role} onChange={setRole} locked={lastOwner} />
        {may(operator.role, 'manage_records') && !may(role, 'manage_records') && (
          <div className="note turn">Worker keys that {operator.name} made are revoked at once.</div>
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
        {update.error && <Failure error={update.error} />}
        <DialogButtons onBack={onClose} type="submit" loading={update.isPending} disabled={limit < 1}>
          Save
        </DialogButtons>
      </form>
    </Dialog>
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
