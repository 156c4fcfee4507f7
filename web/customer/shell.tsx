import { Menu } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import {
  IconBriefcase,
  IconChartBar,
  IconCreditCard,
  IconFile,
  IconHome,
  IconKey,
  IconMessage,
  IconPalette,
  IconSettings,
  IconTemplate,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { customerPages } from '../../contract/pages.ts';
import { operationQuery } from '../app/api.ts';
import { useInstallation } from '../app/installation.ts';
import { Banner } from '../app/live/banner.tsx';
import { useLive } from '../app/live/live.ts';
import { SignedIn, useSession } from '../app/session/session.tsx';
import { useServiceNames } from '../app/service-names.ts';
import { pathTo } from '../ui/page/address.ts';
import { Palette } from '../ui/shell/palette.tsx';
import { PersonMenu } from '../app/session/person-menu.tsx';
import { type Place, Shell, ShellSkeleton } from '../ui/shell/shell.tsx';
import { useShortcut } from '../ui/shell/shortcuts.tsx';
import { AccountMenu } from './account/account-menu.tsx';
import { PlanBanner } from './account/plan-state.tsx';
import { TestMode } from './account/test-mode.tsx';
import { accountFeed } from './live.ts';
import { part } from '../ui/page/part.tsx';
import { useWaitingInTitle } from '../ui/page/title.ts';
import { useUnread, useYourTurn } from './turn.ts';

// Rarely needed and large.
const AccountSwitched = part(() => import('./account/account-switched.tsx'), 'AccountSwitched');

export const CustomerShell = () => (
  <SignedIn waiting={<ShellSkeleton />}>
    <Frame />
  </SignedIn>
);

const places: Place[] = [
  { label: 'Home', to: customerPages.home, icon: IconHome },
  { label: 'Jobs', to: customerPages.jobs, icon: IconBriefcase },
  { label: 'Concierge', to: customerPages.concierge, icon: IconMessage },
  { label: 'Templates', to: customerPages.templates, icon: IconTemplate },
  { label: 'Files', to: customerPages.files, icon: IconFile },
  { label: 'Brand', to: customerPages.brand, icon: IconPalette },
  { label: 'Usage', to: customerPages.usage, icon: IconChartBar },
  { label: 'Plans', to: customerPages.plans, icon: IconCreditCard },
  { label: 'API keys', to: customerPages.keys, icon: IconKey },
  { label: 'Webhooks', to: customerPages.webhooks, icon: IconWebhook },
  { label: 'Members', to: customerPages.members, icon: IconUsers },
];

function Frame() {
  const { account, elsewhere, user } = useSession();
  useLive(accountFeed);
  const navigate = useNavigate();
  const yours = useYourTurn();
  const { total } = useUnread();
  useWaitingInTitle(total);
  const shown = places.map((place) => {
    if (place.to === customerPages.jobs) return { ...place, count: yours };
    return place.to === customerPages.home ? { ...place, unread: total } : place;
  });
  const go = (to: string) => () => void navigate({ to });
  useShortcut('c', 'New job', go(customerPages.newJob));
  return (
    <>
      <Shell
        home={customerPages.home}
        above={<AccountMenu />}
        places={shown}
        person={<CustomerMenu />}
        mode={<TestMode />}
        notices={
          <>
            <Banner />
            {account.suspended_since ? <Suspended /> : user.email_verified ? <PlanBanner /> : <Unverified />}
          </>
        }
      />
      <FindAnything />
      {elsewhere && (
        <Suspense fallback={null}>
          <AccountSwitched />
        </Suspense>
      )}
    </>
  );
}

function Suspended() {
  const support = useInstallation()?.studio.support;
  const address = support?.email ? `mailto:${support.email}` : support?.url;
  return (
    <div className="banner">
      The studio has suspended this account. You can read, export and approve; work in progress goes on.{' '}
      {address ? <a href={address}>Write to the studio</a> : 'Write to the studio'} to have it reopened.
    </div>
  );
}

const Unverified = () => (
  <div className="banner">
    Verify your e-mail address to order, buy and change things. <Link to={customerPages.verifyEmail}>How</Link>
  </div>
);

function FindAnything() {
  const navigate = useNavigate();
  const [q, setQuery] = useState('');
  const jobs = useQuery({
    ...operationQuery('listJobs', { query: { q, limit: 6 } }),
    enabled: q.length > 1,
    placeholderData: keepPreviousData,
  });
  const go = (to: string) => () => void navigate({ to });
  const pages = [...places, { label: 'Settings', to: customerPages.settings }];
  const { families } = useServiceNames();
  const services = families.flatMap((family) => family.service_options.map((option) => ({ family, option })));
  return (
    <Palette
      onQuery={(query) => setQuery(query.trim())}
      actions={[
        ...pages.map(({ label, to }) => ({ id: to, label, group: 'Pages', run: go(to) })),
        ...services.map(({ family, option }) => ({
          id: `order ${family.id} ${option.id}`,
          label: `Order ${option.name}`,
          group: 'Services',
          run: go(pathTo(customerPages.newJob, {}, { family: family.id, type: option.id })),
        })),
        ...(jobs.data?.jobs ?? []).map(({ id, customer_title: label }) => ({
          id,
          label,
          group: 'Jobs',
          run: go(pathTo(customerPages.job, { id })),
        })),
      ]}
    />
  );
}

function CustomerMenu() {
  const navigate = useNavigate();
  return (
    <PersonMenu>
      <Menu.Item leftSection={<IconSettings size={16} />} onClick={() => void navigate({ to: customerPages.settings })}>
        Settings
      </Menu.Item>
    </PersonMenu>
  );
}
