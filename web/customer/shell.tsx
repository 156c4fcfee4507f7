import { Menu, UnstyledButton } from '@mantine/core';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { IconMail, IconPlus, IconSettings } from '../ui/look/icons.ts';
import { customerPages } from '../../contract/pages.ts';
import { Banner } from '../app/live/banner.tsx';
import { useLive } from '../app/live/live.ts';
import { SignedIn, useOrders, useSession } from '../app/session/session.tsx';
import { Bell } from '../app/session/bell.tsx';
import { PersonMenu } from '../app/session/person-menu.tsx';
import { Shell, ShellSkeleton } from '../ui/shell/shell.tsx';
import { useShortcut } from '../ui/shell/shortcuts.tsx';
import { PlanBanner, Suspended, TestMode } from './account/banners.tsx';
import { FindAnything } from './find-anything.tsx';
import { bellRead } from './frame.reads.ts';
import { accountFeed } from './live.ts';
import { part } from '../ui/page/part.tsx';
import { useWaitingInTitle } from '../ui/page/title.ts';
import { isForReviewers, places, reviewerPlaces } from './places.ts';
import { useUnread, useYourTurn } from './turn.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operationQuery, useOperation } from '../app/api.ts';
import { pathTo } from '../ui/page/address.ts';
import { roleWords } from '../ui/job/words.ts';
import { notify, sayFailure } from '../ui/page/page.tsx';
import { hasStopped, planWords } from './account/plan-words.ts';

// Rarely needed and large.
const Elsewhere = part(() => import('./account/elsewhere.tsx'), 'Elsewhere');
const NotForReviewers = part(() => import('./view-frame.tsx'), 'NotForReviewers');
const ViewFrame = part(() => import('./view-frame.tsx'), 'ViewFrame', <ShellSkeleton />);

export const CustomerShell = () => (
  <SignedIn>
    <AnyFrame />
  </SignedIn>
);

function AnyFrame() {
  const { view, elsewhere } = useSession();
  return (
    <>
      {view ? <ViewFrame /> : <Frame />}
      {elsewhere && <Elsewhere />}
    </>
  );
}

function Frame() {
  const { account, user } = useSession();
  const { pathname } = useLocation();
  const orders = useOrders();
  const shownPlaces = orders ? places : reviewerPlaces;
  useLive(accountFeed);
  const navigate = useNavigate();
  const yours = useYourTurn();
  const { total } = useUnread();
  useWaitingInTitle(total);
  const shown = shownPlaces.map((place) => ({
    ...place,
    count: place.to === customerPages.jobs ? yours : undefined,
    unread: place.to === customerPages.home ? total : undefined,
  }));
  const go = (to: string) => () => void navigate({ to });
  const startJob = () => {
    const box = document.querySelector<HTMLElement>('.need textarea');
    return box ? box.focus() : go(customerPages.newJob)();
  };
  useShortcut('c', 'New job', orders ? startJob : null);
  return (
    <>
      <Shell
        home={customerPages.home}
        above={<AccountMenu />}
        places={shown}
        person={
          <PersonMenu>
            <Menu.Item leftSection={<IconSettings size={16} />} onClick={go(customerPages.settings)}>
              Settings
            </Menu.Item>
          </PersonMenu>
        }
        bell={<Bell side="customer" count={bellRead} />}
        mode={<TestMode />}
        instead={orders || isForReviewers(pathname) ? undefined : <NotForReviewers />}
        notices={
          <>
            <Banner />
            {account.suspended_since ? <Suspended /> : user.email_verified ? <PlanBanner /> : <Unverified />}
          </>
        }
      />
      <FindAnything places={[...shownPlaces, { label: 'Settings', to: customerPages.settings }]} orders={orders} />
    </>
  );
}

const Unverified = () => (
  <div className="banner">
    Verify your e-mail address to order, buy and change things. <Link to={customerPages.verifyEmail}>How</Link>
  </div>
);

const OpenAnotherAccount = part(() => import('./account/open-another-account.tsx'), 'OpenAnotherAccount');

function AccountMenu() {
  const { account, plans, role } = useSession();
  const navigate = useNavigate();
  const accounts = useQuery(operationQuery('listMyAccounts'));
  const invitations = useQuery(operationQuery('listMyInvitations')).data?.invitations ?? [];
  const [opening, setOpening] = useState(false);
  // The whole page belongs to the previous account.
  const switchAccount = useOperation('switchAccount', () => location.assign('/'));
  const others = accounts.data?.accounts.filter(({ id }) => id !== account.id) ?? [];
  const change = (id: string) =>
    switchAccount.mutate({ path: { id } }, { onError: (error) => notify(sayFailure(error).title) });
  return (
    <>
      <Menu position="bottom-start" width="target">
        <Menu.Target>
          <UnstyledButton className="nav-select">
            <span className="one-line">{account.name}</span>
            <small className={hasStopped(plans) ? 'turn' : undefined}>
              {role === 'reviewer' ? roleWords[role] : planWords(plans)}
            </small>
            {invitations.length > 0 && (
              <span
                className="count"
                role="img"
                aria-label={invitations.length === 1 ? 'One invitation' : `${invitations.length} invitations`}
              >
                {invitations.length}
              </span>
            )}
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {others.length > 0 && <Menu.Label>Switch to</Menu.Label>}
          {others.map(({ id, name }) => (
            <Menu.Item key={id} onClick={() => change(id)}>
              {name}
            </Menu.Item>
          ))}
          {invitations.length > 0 && <Menu.Label>You are invited to</Menu.Label>}
          {invitations.map(({ id, account_name: name }) => (
            <Menu.Item
              key={id}
              leftSection={<IconMail size={16} />}
              onClick={() => void navigate({ to: pathTo(customerPages.invitation, { id }) })}
            >
              {name}
            </Menu.Item>
          ))}
          {others.length + invitations.length > 0 && <Menu.Divider />}
          <Menu.Item leftSection={<IconPlus size={16} />} onClick={() => setOpening(true)}>
            Open another account
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {opening && <OpenAnotherAccount onClose={() => setOpening(false)} />}
    </>
  );
}
