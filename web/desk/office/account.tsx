import { Link } from '@tanstack/react-router';
import { customerPages, deskPages } from '../../../contract/pages.ts';
import { type DeskAccount, type DeskJobListItem, type JobBrand, type Member, useOperation } from '../../app/api.ts';
import { BetweenDays } from '../../ui/form/between-days.tsx';
import { pathTo, useAddress } from '../../ui/page/address.ts';
import { Identifier } from '../../ui/page/code.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { IconEye } from '../../ui/look/icons.ts';
import { Facts, Loaded, notify, PageHead, Panel, sayFailure } from '../../ui/page/page.tsx';
import { type Column, List, ListFoot } from '../../ui/list/list.tsx';
import { useServiceNames } from '../../app/service-names.ts';
import { BrandFacts } from '../../ui/job/brand-facts.tsx';
import { Status } from '../../ui/job/status.tsx';
import { FileFace } from '../../ui/thread/story-files.tsx';
import { sayBytes } from '../../ui/upload/bytes.ts';
import { Time } from '../../ui/time/time.tsx';
import { roleWords } from '../../ui/job/words.ts';
import { Age, DueTime } from '../queue/due.tsx';
import { readPages } from '../../app/reads.ts';
import { usePages, useRead, useReads } from '../../app/use-reads.ts';
import { useMay } from '../may.ts';
import { Holder } from '../job/person.tsx';
import { sayMinutes } from '../job/noted-words.ts';
import { AccountPlans } from './account-plans.tsx';
import { StandingNote } from '../standing.tsx';
import { pageReads } from '../reads.ts';
import { AccountNote, SuspendButton, Suspended } from './note-and-suspension.tsx';
import { OrderForThem } from './order-for-them.tsx';
import { ImportedPeople } from './imported-people.tsx';
import { ProviderEvents } from './provider-events.tsx';

export function Account() {
  const account = useRead(useReads(pageReads.account).account);
  return (
    <Loaded
      query={account}
      height={480}
      head={<PageHead title="Account" above={<Link to={deskPages.accounts}>Accounts</Link>} />}
    >
      {({ account: data }) => <AccountPage account={data} />}
    </Loaded>
  );
}

function AccountPage({ account }: { account: DeskAccount }) {
  const may = useMay();
  return (
    <>
      <PageHead
        title={account.name}
        documentTitle="Account"
        above={
          <span className="row" style={{ gap: 4 }}>
            <Link to={deskPages.accounts}>Accounts</Link> / <Identifier id={account.id} />
          </span>
        }
        below={account.owner_email}
      >
        {may('order_for_accounts') && <OrderForThem account={account} />}
        {account.suspension === null && <SuspendButton account={account} />}
        {may('note_accounts') && <ViewAsCustomer account={account} />}
      </PageHead>
      {account.suspension ? <Suspended account={account} /> : <StandingNote standing={account.standing} />}
      <div className="columns">
        <div className="stack">
          <AccountJobs account={account} />
          {may('read_records') && (
            <Panel title="What the payment provider sent" flush>
              <ProviderEvents read={eventsRead(account.id)} ofAccount />
            </Panel>
          )}
        </div>
        <aside className="stack" aria-label="Plans and members">
          <AccountPlans account={account} />
          <AccountNote account={account} />
          <Panel title="Members">
            {account.members.length === 0 && <p className="second">Nobody has joined.</p>}
            <Members members={account.members} />
          </Panel>
          <ImportedPeople account={account} />
          {account.brand && (
            <Panel title="Brand">
              <AccountBrand brand={account.brand} />
            </Panel>
          )}
          <Panel title="Facts">
            <Facts
              facts={[
                ['Jobs so far', account.jobs],
                ['Open jobs', account.active_jobs],
                ['Time noted', account.noted_minutes > 0 && sayMinutes(account.noted_minutes)],
                ['API keys that work', account.active_keys],
                ['Since', <Time key="since" at={account.created_at} as="day" />],
                ['Imported', account.imported_at && <Time key="imported" at={account.imported_at} as="day" />],
                [
                  'Audit log',
                  may('read_records') && (
                    <Link key="audit" to={pathTo(deskPages.audit, {}, { account: account.id })}>
                      of this account
                    </Link>
                  ),
                ],
              ]}
            />
          </Panel>
        </aside>
      </div>
    </>
  );
}

/** Opens the pages of the customer in place of the desk. Other tabs of the desk go on. */
function ViewAsCustomer({ account }: { account: DeskAccount }) {
  const view = useOperation('viewAccount', () => location.assign(customerPages.jobs));
  const begin = () =>
    view.mutate({ path: { id: account.id } }, { onError: (error) => notify(sayFailure(error).title) });
  return (
    <ActionButton variant="default" icon={<IconEye size={16} />} loading={view.isPending} onClick={begin}>
      View as this customer
    </ActionButton>
  );
}

/** Not among the reads of the page, because not every role may read them. */
const eventsRead = (id: string) => readPages('listProviderEvents', { query: { account_id: id, limit: 50 } });

function AccountJobs({ account }: { account: DeskAccount }) {
  const { service } = useServiceNames();
  const jobs = usePages(useReads(pageReads.account).jobs);
  const [{ from, to }, setAddress] = useAddress<'from' | 'to'>();
  return (
    <Panel
      title="Jobs"
      beside={
        account.jobs > 0 && (
          <span className="row">
            <BetweenDays verb="Ordered" none="Any day" from={from} to={to} onChange={setAddress} />
            <Link to={pathTo(deskPages.queue, {}, { tab: 'all', account: account.id })}>Filter all {account.jobs}</Link>
          </span>
        )
      }
      flush
    >
      {jobs.data?.length === 0 ? (
        <p className="panel-body second">
          {from || to ? 'It ordered nothing on these days.' : 'This account has not ordered anything yet.'}
        </p>
      ) : (
        <>
          <List
            label="Jobs of this account"
            tight
            rows={jobs.data}
            columns={jobColumns(service)}
            rowKey={({ id }) => id}
            href={({ id }) => pathTo(deskPages.job, { id })}
          />
          {jobs.more && (
            <div className="panel-body">
              <ListFoot shown={`${jobs.data?.length} shown`} more={jobs.more} loading={jobs.loadingMore} />
            </div>
          )}
        </>
      )}
    </Panel>
  );
}

const jobColumns = (service: (family: string, type: string) => string): Column<DeskJobListItem>[] => [
  {
    head: 'Job',
    width: '40%',
    cell: ({ customer_title: title, service_family: family, service_type: type }) => (
      <>
        {title}
        <span className="cell-second">{service(family, type)}</span>
      </>
    ),
  },
  { head: 'State', cell: ({ status, imported_at: at }) => <Status status={status} side="desk" importedAt={at} /> },
  { head: 'Due', cell: (job) => <DueTime job={job} /> },
  { head: 'Holder', cell: (job) => job.holder && <Holder job={job} /> },
  { head: 'Age', end: true, cell: ({ created_at: at }) => <Age at={at} /> },
];

/** Files of a kit can be opened from a job that has a copy of them. */
const AccountBrand = ({ brand: { facts, files } }: { brand: JobBrand }) => (
  <div className="stack">
    <BrandFacts facts={facts} />
    {files.length > 0 && (
      <ul className="stack-small" aria-label="Files of the brand kit">
        {files.map((file) => (
          <li key={file.id} className="row">
            <FileFace file={file} />
            <bdi className="one-line">{file.file_name}</bdi>
            <span className="second small numbers push">{sayBytes(file.size_bytes)}</span>
          </li>
        ))}
      </ul>
    )}
  </div>
);

const Members = ({ members }: { members: Member[] }) => (
  <ul className="stack-small">
    {members.map(({ id, user, role }) => (
      <li key={id} className="row between">
        <span>
          {user.name}
          <span className="cell-second">{user.email}</span>
        </span>
        <span className="second small">{roleWords[role]}</span>
      </li>
    ))}
  </ul>
);
