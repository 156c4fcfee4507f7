import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { deskPages } from '../../../contract/pages.ts';
import { type AuditEntry, operationQuery } from '../../app/api.ts';
import { operatorRoles } from '../../../contract/desk/operator-roles.ts';
import { pathTo } from '../../ui/page/address.ts';
import { Time } from '../../ui/time/time.tsx';
import { rejectionWords, roleWords } from '../../ui/job/words.ts';
import { operatorRoleWords } from '../../ui/job/operator-role-words.ts';

/** Ids differ at their ends. */
export const shortened = (id: string) => (id.length > 16 ? `${id.slice(0, 4)}…${id.slice(-6)}` : id);

export const narrowed = (by: Record<string, string>) => pathTo(deskPages.audit, {}, by);

/** Leaves out nulls and values that have their own column. */
export const AuditDetails = ({ details }: Pick<AuditEntry, 'details'>) => (
  <span className="cell-second">
    {Object.entries(words)
      .filter(([field]) => details[field] !== undefined && details[field] !== null)
      .map(([field, words], index) => (
        <Fragment key={field}>
          {index > 0 && ', '}
          {words(details[field])}
        </Fragment>
      ))}
  </span>
);

const words: Record<string, (value: unknown) => ReactNode> = {
  before: (id) => (
    <>
      from <Person id={String(id)} />
    </>
  ),
  holder: (id) => (
    <>
      to <Person id={String(id)} />
    </>
  ),
  name: (name) => `“${String(name)}”`,
  user_id: (id) => <Person id={String(id)} />,
  creator_id: (id) => (
    <>
      made by <Person id={String(id)} />
    </>
  ),
  expires_at: (at) => (
    <>
      until <Time at={String(at)} />
    </>
  ),
  role: (role) => `as ${sayRole(role)}`,
  previous_role: (role) => `before ${sayRole(role)}`,
  filters: (text) => <span className="mono breaks">{String(text)}</span>,
  file_id: (id) => (
    <Link to={narrowed({ subject: String(id) })} className="log-link mono nowrap">
      {shortened(String(id))}
    </Link>
  ),
  reason_code: (code) => rejectionWords[String(code)] ?? String(code),
  plan_code: (code) => <span className="capital">{String(code)}</span>,
  type: String,
  outcome: String,
  verified: (verified) => (verified ? 'as the provider has it' : 'not as the provider has it'),
  restored: (restored) => (restored ? 'restored and checked' : 'not restored to check it'),
  reason: String,
  queued: (count) => `${String(count)} events`,
  after: (seq) => `after event ${String(seq)}`,
};

/** Of a member, or of an operator. */
const roles: Record<string, string> = {
  ...roleWords,
  ...Object.fromEntries(operatorRoles.map((role) => [role, operatorRoleWords[role].name])),
};
const sayRole = (role: unknown) => (roles[String(role)] ?? String(role)).toLowerCase();

/** Operators by name. Others by id, which leads to their changes. */
function Person({ id }: { id: string }) {
  const operators = useQuery(operationQuery('listOperators'));
  const name = operators.data?.operators.find((item) => item.id === id)?.name;
  return (
    <Link to={narrowed({ by: id })} className={name ? 'log-link' : 'log-link mono nowrap'}>
      {name ?? shortened(id)}
    </Link>
  );
}
