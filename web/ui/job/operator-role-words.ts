import { type OperatorRole, operatorRoles } from '../../../contract/desk/operator-roles.ts';

export const operatorRoleWords: Record<OperatorRole, { name: string; may: string }> = {
  maker: { name: 'Maker', may: 'Takes, does and submits jobs, and writes to customers.' },
  reviewer: { name: 'Reviewer', may: 'Also passes, returns and rejects work.' },
  lead: {
    name: 'Lead',
    may: 'Also hands over, takes the jobs of others, moves due dates, and reads workers, payments and the audit log.',
  },
  owner: { name: 'Owner', may: 'Everything: also operators, worker keys, payments and the catalog.' },
};

/** All that a role may, without the list of the others above it. */
export const sayAllRights = (role: OperatorRole): string =>
  role === 'owner'
    ? operatorRoleWords.owner.may
    : operatorRoles
        .slice(0, operatorRoles.indexOf(role) + 1)
        .map((each) => operatorRoleWords[each].may)
        .join(' ');
