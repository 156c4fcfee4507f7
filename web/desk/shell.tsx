import { Button, Menu } from '@mantine/core';
import { useDebouncedValue, useDocumentVisibility } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  IconActivity,
  IconBlockquote,
  IconChartBar,
  IconCheck,
  IconCreditCard,
  IconInbox,
  IconPlug,
  IconReceipt,
  IconReport,
  IconRobot,
  IconSettings,
  IconBuildingStore,
  IconUserCog,
  IconUsers,
} from '../ui/look/icons.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { customerPages, deskPages } from '../../contract/pages.ts';
import { AtelierError, operationQuery, queryClient } from '../app/api.ts';
import { Banner } from '../app/live/banner.tsx';
import { SignedIn } from '../app/session/session.tsx';
import { useRead } from '../app/use-reads.ts';
import { pathTo } from '../ui/page/address.ts';
import { Entry } from '../ui/page/entry.tsx';
import { Failure } from '../ui/page/page.tsx';
import { part } from '../ui/page/part.tsx';
import { useWaitingInTitle } from '../ui/page/title.ts';
import { useLater } from '../ui/page/use-later.ts';
import { Palette } from '../ui/shell/palette.tsx';
import { Bell } from '../app/session/bell.tsx';
import { PersonMenu } from '../app/session/person-menu.tsx';
import { deskStatusWords } from '../ui/job/words.ts';
import { useServiceNames } from '../app/service-names.ts';
import { type Place, Shell, ShellSkeleton } from '../ui/shell/shell.tsx';
import { useUtc } from '../ui/time/time.tsx';
import { useAlerts, useNotifications } from './alerts/use-alerts.ts';
import { bellRead, countsRead, moneyCountsRead, unreadRead } from './frame.reads.ts';
import { useDeskLive } from './live.ts';
import { pageRights, useMay } from './may.ts';

const SecondFactorGate = part(() => import('./second-factor-gate.tsx'), 'SecondFactorGate', null, false);
const Toasts = part(() => import('./toasts.tsx'), 'Toasts');

export const DeskShell = () => (
  <SignedIn atDesk>
    <OperatorsOnly>
      <Frame />
    </OperatorsOnly>
  </SignedIn>
);

const lacksFactor = (error: unknown) =>
  error instanceof AtelierError && (error.code as string) === 'second_factor_required';

/** The desk's first read. If it is refused, the person is no operator, or needs a second factor first. */
function OperatorsOnly({ children }: { children: ReactNode }) {
  const { data, error, refetch } = useRead(countsRead);
  // The gate stays while the read runs again: what was typed there would be lost.
  const [wasLacking, setWasLacking] = useState(false);
  const lacking = lacksFactor(error) || (wasLacking && data === undefined && error === null);
  if (lacking !== wasLacking) setWasLacking(lacking);
  // An open tab shows the gate with its first refused read.
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe((event) => {
        const isRefused = event.type === 'updated' && event.action.type === 'error' && lacksFactor(event.action.error);
        if (isRefused && event.query.queryKey[0] !== 'countQueue') void refetch();
      }),
    [refetch],
  );
  if (lacking) return <SecondFactorGate onDone={() => void refetch()} />;
  if (data) return children;
  if (!error) return <ShellSkeleton />;
  if (!(error instanceof AtelierError) || error.status !== 403)
    return (
      <main className="page">
        <Failure error={error} retry={() => void refetch()} />
      </main>
    );
  return (
    <Entry title="The desk" lead="This is the desk of the studio, for its operators.">
      <Button component="a" href={customerPages.home}>
        Go to your jobs
      </Button>
    </Entry>
  );
}

type DeskPlace = Place & { page: keyof typeof pageRights };

/** Only what the role can read. */
function usePlaces(count?: number, money?: number): DeskPlace[] {
  const may = useMay();
  const places: DeskPlace[] = [
    { page: 'queue', label: 'Queue', to: deskPages.queue, icon: IconInbox, count },
    { page: 'accounts', label: 'Accounts', to: deskPages.accounts, icon: IconUsers },
    { page: 'macros', label: 'Macros', to: deskPages.macros, icon: IconBlockquote },
    { page: 'workers', label: 'Workers', to: deskPages.workers, icon: IconRobot },
    { page: 'money', label: 'Money', to: deskPages.money, icon: IconCreditCard, count: money },
    { page: 'figures', label: 'Figures', to: deskPages.figures, icon: IconChartBar },
    { page: 'reports', label: 'Reports', to: deskPages.reports, icon: IconReport },
    { page: 'audit', label: 'Audit log', to: deskPages.audit, icon: IconReceipt },
    { page: 'operators', label: 'Operators', to: deskPages.operators, icon: IconUserCog },
    { page: 'apps', label: 'Apps', to: deskPages.apps, icon: IconPlug },
    { page: 'studio', label: 'Studio', to: deskPages.studio, icon: IconBuildingStore },
    { page: 'health', label: 'Health', to: deskPages.health, icon: IconActivity },
  ];
  return places.filter(({ page }) => may(pageRights[page]));
}

function Frame() {
  useDeskLive();
  const counts = useRead(countsRead);
  const unread = useRead(unreadRead).data?.total ?? 0;
  const later = useLater();
  const unseen = useAlerts(later)?.length ?? 0;
  const alerts = useDocumentVisibility() === 'visible' ? 0 : unseen;
  useWaitingInTitle(
    counts.data?.counts.to_do ?? 0,
    unread > 0 ? `${unread} new` : '',
    alerts > 0 ? (alerts === 1 ? '1 alert' : `${alerts} alerts`) : '',
  );
  // Events that need a look, and accounts with open jobs whose plan does not serve.
  const money = useRead(moneyCountsRead, { enabled: useMay()(pageRights.money) }).data?.counts;
  const shown = usePlaces(counts.data?.counts.to_do, money && money.events + money.accounts);
  return (
    <>
      <Shell
        part="Desk"
        home={deskPages.queue}
        places={shown}
        person={<OperatorMenu />}
        bell={<Bell side="studio" count={bellRead} />}
        notices={<Banner />}
      />
      <DeskPalette />
      <Toasts alerts={later} />
    </>
  );
}

function DeskPalette() {
  const navigate = useNavigate();
  const open = usePlaces();
  const { service } = useServiceNames();
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), 150);
  const enabled = q.length > 1;
  const options = { enabled, placeholderData: enabled ? keepPreviousData : undefined };
  const jobs = useQuery({ ...operationQuery('listQueue', { query: { q, sort: 'newest', limit: 8 } }), ...options });
  const accounts = useQuery({ ...operationQuery('listAccounts', { query: { q, limit: 5 } }), ...options });
  const go = (to: string) => () => void navigate({ to });
  const actions = [
    ...(jobs.data?.jobs ?? []).map((job) => ({
      id: job.id,
      label: job.customer_title,
      detail: `${deskStatusWords[job.status]} · ${job.account.name} · ${service(job.service_family, job.service_type)} · ${job.id}`,
      group: 'Jobs',
      run: go(pathTo(deskPages.job, { id: job.id })),
    })),
    ...(accounts.data?.accounts ?? []).map((account) => ({
      id: account.id,
      label: account.name,
      detail: [account.owner_email, account.id].filter(Boolean).join(' · '),
      group: 'Accounts',
      run: go(pathTo(deskPages.account, { id: account.id })),
    })),
    ...open.map(({ label, to }) => ({ id: to, label, group: 'Pages', run: go(to) })),
  ];
  return <Palette actions={actions} onQuery={setTyped} />;
}

function OperatorMenu() {
  const [utc, setUtc] = useUtc();
  const { possible, on, change } = useNotifications();
  return (
    <PersonMenu>
      <Menu.CheckboxItem checkIcon={<IconCheck size={16} />} closeMenuOnClick={false} checked={utc} onChange={setUtc}>
        Times in UTC
      </Menu.CheckboxItem>
      {possible && (
        <Menu.CheckboxItem checkIcon={<IconCheck size={16} />} closeMenuOnClick={false} checked={on} onChange={change}>
          Alerts of this browser
        </Menu.CheckboxItem>
      )}
      <Menu.Item leftSection={<IconSettings size={16} />} component="a" href={customerPages.settings}>
        Settings
      </Menu.Item>
    </PersonMenu>
  );
}
