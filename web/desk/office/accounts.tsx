import { Select } from '@mantine/core';
import { deskPages } from '../../../contract/pages.ts';
import type { DeskAccountListItem } from '../../app/api.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { pathTo, useAddress } from '../../ui/page/address.ts';
import { type Column, Empty } from '../../ui/list/list.tsx';
import { PagedList } from '../../ui/list/paged-list.tsx';
import { PageHead } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';
import { usePages, useReads } from '../../app/use-reads.ts';
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
  const isNarrowed = Boolean(q ?? standing);
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
          <Empty
            action={
              isNarrowed && (
                <ActionButton variant="default" onClick={() => setAddress({ q: undefined, standing: undefined })}>
                  Show all accounts
                </ActionButton>
              )
            }
          >
            {isNarrowed ? 'No account matches.' : 'Nobody has signed up yet.'}
          </Empty>
        }
        columns={columns}
        rowKey={({ id }) => id}
        href={({ id }) => pathTo(deskPages.account, { id })}
      />
    </>
  );
}

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
    // What is wrong with them stands at the name.
    cell: ({ plan_codes: codes, paused, past_due: overdue }) => {
      const plans = [...new Set([...codes, ...overdue, ...paused])].join(', ');
      return plans ? <span className="capital">{plans}</span> : <span className="third">no plan</span>;
    },
  },
  { head: 'Open jobs', named: true, end: true, className: 'numbers', cell: ({ active_jobs: jobs }) => jobs },
  { head: 'Since', named: true, end: true, cell: ({ created_at: at }) => <Time at={at} as="day" /> },
];
