import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { operatorRoles } from '../../../contract/desk/operator-roles.ts';
import { deskPages } from '../../../contract/pages.ts';
import { type AuditEntry, operationQuery } from '../../app/api.ts';
import { operatorRoleWords } from '../../ui/job/operator-role-words.ts';
import { rejectionWords, roleWords } from '../../ui/job/words.ts';
import type { Column } from '../../ui/list/list.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { Copy } from '../../ui/page/code.tsx';
import { Time } from '../../ui/time/time.tsx';
import { actorWords, auditWords } from './audit-words.ts';

const sameNetwork = 'The same letters mean the same network address. The address itself is not stored.';

/** Links that stand below each other are high enough for a finger. */
const target = { minHeight: 24 };

export const auditColumns: Column<AuditEntry>[] = [
  {
    head: 'When',
    width: '15%',
    className: 'nowrap numbers',
    cell: ({ created_at: at }) => <Time at={at} as="exact" />,
  },
  { head: 'Who', width: '17%', cell: (entry) => <Who {...entry} /> },
  {
    head: 'What',
    width: '22%',
    cell: ({ action, details }) => (
      <span className="ink">
        {auditWords[action]}
        <AuditDetails details={details} />
      </span>
    ),
  },
  { head: 'On', cell: (entry) => <Subject {...entry} /> },
  {
    head: 'Request',
    cell: ({ request_id: id }) => (
      <span className="row" style={{ gap: 2, flexWrap: 'nowrap' }}>
        <Link to={narrowed({ request: id })} style={target} className="icon-line mono small second nowrap" title={id}>
          {shortened(id)}
        </Link>
        <Copy text={id} label="Copy the request id" />
      </span>
    ),
  },
  {
    head: 'Network',
    named: true,
    end: true,
    cell: ({ address }) =>
      address && (
        <span className="mono small third nowrap" title={sameNetwork}>
          {address.slice(0, 8)}
        </span>
      ),
  },
];

function Who({ actor, created_by: by }: Pick<AuditEntry, 'actor' | 'created_by'>) {
  // A failed sign-in need not be a customer's.
  if (!by) return <span className="ink">{actor === 'customer' ? 'Somebody' : actorWords[actor]}</span>;
  return (
    <span className="ink">
      <Link to={narrowed({ by: by.id })} style={target} className="icon-line ink">
        {by.name || by.id}
      </Link>
      <span className="cell-second">
        {actorWords[actor]}
        {by.kind !== 'user' && ', with a key'}
      </span>
    </span>
  );
}

type On = Pick<AuditEntry, 'subject' | 'subject_name' | 'account_id' | 'account_name'>;

/** The object by its name, else by its id below its account. */
function Subject({ subject: id, subject_name: name, account_id: account, account_name: customer }: On) {
  const page = id?.startsWith('job_') ? deskPages.job : deskPages.account;
  const object = id !== null && id !== account && (
    <Link
      to={name ? pathTo(page, { id }) : narrowed({ subject: id })}
      style={target}
      className={name ? 'icon-line ink' : 'icon-line mono small nowrap'}
      title={id}
    >
      {name ?? shortened(id)}
    </Link>
  );
  const owner = account && (
    <Link to={pathTo(deskPages.account, { id: account })} style={target} className="icon-line ink">
      {customer ?? shortened(account)}
    </Link>
  );
  const [first, second] = name || !owner ? [object, owner] : [owner, object];
  return (
    <>
      {first || owner}
      {first && second && <span className="cell-second">{second}</span>}
    </>
  );
}

/** Ids differ at their ends. */
export const shortened = (id: string) => (id.length > 16 ? `${id.slice(0, 4)}…${id.slice(-6)}` : id);

const narrowed = (by: Record<string, string>) => pathTo(deskPages.audit, {}, by);

/** Leaves out nulls and values that have their own column. */
const AuditDetails = ({ details }: Pick<AuditEntry, 'details'>) => (
  <span className="cell-second">
    {Object.entries(words)
      .filter(([field]) => (details[field] ?? null) !== null)
      .map(([field, say], index) => (
        <Fragment key={field}>
          {index > 0 && ', '}
          {say(details[field])}
        </Fragment>
      ))}
  </span>
);

const words: Record<string, (value: unknown) => ReactNode> = {
  before: (id) => <Person word="from" id={id} />,
  holder: (id) => <Person word="to" id={id} />,
  name: (name) => `“${String(name)}”`,
  user_id: (id) => <Person id={id} />,
  creator_id: (id) => <Person word="made by" id={id} />,
  expires_at: (at) => (
    <>
      until <Time at={String(at)} />
    </>
  ),
  role: (role) => `as ${sayRole(role)}`,
  previous_role: (role) => `before ${sayRole(role)}`,
  filters: (text) => <span className="mono breaks">{String(text)}</span>,
  file_id: (id) => (
    <Link to={narrowed({ subject: String(id) })} style={target} className="icon-line mono nowrap">
      {shortened(String(id))}
    </Link>
  ),
  reason_code: (code) => rejectionWords[String(code)] ?? String(code),
  quantity: (quantity) => (Number(quantity) < 0 ? `${-Number(quantity)} given back` : `${String(quantity)} charged`),
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
function Person({ word, id: value }: { word?: string; id: unknown }) {
  const id = String(value);
  const operators = useQuery(operationQuery('listOperators'));
  const name = operators.data?.operators.find((item) => item.id === id)?.name;
  return (
    <>
      {word && `${word} `}
      <Link to={narrowed({ by: id })} style={target} className={name ? 'icon-line' : 'icon-line mono nowrap'}>
        {name ?? shortened(id)}
      </Link>
    </>
  );
}
