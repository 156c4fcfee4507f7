import { Select } from '@mantine/core';
import { deskPages } from '../../../contract/pages.ts';
import type { DeskAccountListItem } from '../../app/api.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { pathTo, useAddress } from '../../ui/page/address.ts';
import { Empty } from '../../ui/list/empty.tsx';
import type { Column } from '../../ui/list/list.tsx';
import { PagedList } from '../../ui/list/paged-list.tsx';
import { PageHead } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';
import { usePages } from '../../app/use-pages.ts';
import { useReads } from '../../app/use-reads.ts';
import { ExportButton } from '../export/export-button.tsx';
import { standingOptions } from '../standing-words.ts';
import { readStanding } from '../read-standing.ts';
import { StandingMark } from '../standing.tsx';
import { pageReads } from '../reads.ts';
import { SearchField } from '../../ui/list/search-field.tsx';

export function Accounts() {
  const [{ q, standing }, setAddress] = useAddress<'q' | 'standing'>();
  const reads = useReads(pageReads.accounts);
  const accounts = usePages(reads.accounts);
  return (
    <>
      <PageHead title="Accounts">
        <SearchField main label="Find an account" width={280} value={q} onFind={(text) => setAddress({ q: text })} />
        <Select
          w={180}
          aria-label="Standing"
          data={[{ value: '', label: 'All accounts' }, ...standingOptions]}
          value={readStanding(standing) ?? ''}
          onChange={(value) => setAddress({ standing: value || undefined })}
        />
        <ExportButton list="accounts" read={reads.accounts} />
      </PageHead>
      <PagedList
        label="Accounts"
        tight
        pages={accounts}
        empty={
          <NoAccounts
            searching={Boolean(q ?? standing)}
            onClear={() => setAddress({ q: undefined, standing: undefined })}
          />
        }
        columns={columns}
        rowKey={({ id }) => id}
        href={({ id }) => pathTo(deskPages.account, { id })}
      />
    </>
  );
}

/** What is wrong with them stands at the name. */
const plansOf = ({ plan_codes: codes, paused, past_due: overdue }: DeskAccountListItem): string[] => [
  ...new Set([...codes, ...overdue, ...paused]),
];

const belowName = ({ standing }: DeskAccountListItem) =>
  standing && (
    <span className="cell-second">
      <StandingMark standing={standing} />
    </span>
  );

const columns: Column<DeskAccountListItem>[] = [
  { head: 'Account', width: '30%', cell: ({ name }) => name, below: belowName },
  { head: 'Owner', width: '28%', cell: ({ owner_email: email }) => email },
  {
    head: 'Plans',
    cell: (account) => {
      const plans = plansOf(account);
      return plans.length === 0 ? (
        <span className="third">no plan</span>
      ) : (
        <span className="capital">{plans.join(', ')}</span>
      );
    },
  },
  {
    head: 'Open jobs',
    named: true,
    end: true,
    cell: ({ active_jobs: jobs }) => <span className="numbers">{jobs}</span>,
  },
  { head: 'Since', named: true, end: true, cell: ({ created_at: at }) => <Time at={at} as="day" /> },
];

const NoAccounts = ({ searching, onClear }: { searching: boolean; onClear: () => void }) => (
  <Empty
    action={
      searching ? (
        <ActionButton variant="default" onClick={onClear}>
          Show all accounts
        </ActionButton>
      ) : undefined
    }
  >
    {searching ? 'No account matches.' : 'Nobody has signed up yet.'}
  </Empty>
);
