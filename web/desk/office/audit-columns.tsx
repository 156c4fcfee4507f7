import { Link } from '@tanstack/react-router';
import { deskPages } from '../../../contract/pages.ts';
import type { AuditEntry } from '../../app/api.ts';
import { pathTo } from '../../ui/page/address.ts';
import { Copy } from '../../ui/page/code.tsx';
import type { Column } from '../../ui/list/list.tsx';
import { Time } from '../../ui/time/time.tsx';
import { AuditDetails, narrowed, shortened } from './audit-details.tsx';
import { actorWords, auditWords } from './audit-words.ts';

const sameNetwork = 'The same letters mean the same network address. The address itself is not stored.';

export const auditColumns: Column<AuditEntry>[] = [
  {
    head: 'When',
    width: '15%',
    cell: ({ created_at: at }) => (
      <span className="nowrap numbers">
        <Time at={at} as="exact" />
      </span>
    ),
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
        <Link to={narrowed({ request: id })} className="log-link mono small second nowrap" title={id}>
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
      <Link to={narrowed({ by: by.id })} className="log-link ink">
        {by.name || by.id}
      </Link>
      <span className="cell-second">
        {actorWords[actor]}
        {by.kind !== 'user' && ', with a key'}
      </span>
    </span>
  );
}

function Subject({ subject: id, subject_name: name }: Pick<AuditEntry, 'subject' | 'subject_name'>) {
  if (!id) return null;
  const page = id.startsWith('job_') ? deskPages.job : id.startsWith('acct_') ? deskPages.account : null;
  return (
    <Link
      to={page ? pathTo(page, { id }) : narrowed({ subject: id })}
      className={name ? 'log-link ink' : 'log-link mono small nowrap'}
      title={id}
    >
      {name ?? shortened(id)}
    </Link>
  );
}
