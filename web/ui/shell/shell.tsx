import { ActionIcon, Skeleton } from '@mantine/core';
import { IconMenu2 } from '../look/icons.ts';
import type { Icon } from '../look/icon.ts';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { Mark } from './mark.tsx';
import { studio } from './studio.ts';
import { StudioFooter } from './studio-footer.tsx';
import { usePhone } from '../page/use-phone.ts';
import { dialogPart, fetchEarly } from '../page/part.tsx';

const NavigationDrawer = dialogPart(() => import('./navigation-drawer.tsx'), 'NavigationDrawer');

const first = {
  position: 'absolute',
  left: 8,
  top: 8,
  zIndex: 300,
  padding: '8px 12px',
  background: 'var(--panel)',
  borderRadius: 7,
} as const;
const column = { display: 'flex', flexDirection: 'column', minWidth: 0 } as const;
const badge = {
  padding: '0 6px',
  fontSize: 12,
  fontWeight: 400,
  border: '1px solid var(--strong-line)',
  borderRadius: 5,
};

export type Place = {
  label: string;
  to: string;
  icon: Icon;
  /** What waits for the reader. */
  count?: number | undefined;
  /** Messages that the reader has not read. */
  unread?: number | undefined;
};

type Props = {
  /** Names the part of the service, except for customers. */
  part?: string;
  home: string;
  above?: ReactNode;
  places: Place[];
  person: ReactNode;
  bell?: ReactNode;
  mode?: ReactNode;
  notices: ReactNode;
  /** Instead of the page. */
  instead?: ReactNode;
};

export function Shell({ part, home, above, places, person, bell, mode, notices, instead }: Props) {
  const [open, setOpen] = useState(false);
  const wide = !usePhone();
  const { pathname } = useLocation();
  useEffect(() => setOpen(false), [pathname]);
  useEffect(() => void fetchEarly(), []);
  const navigation = (
    <>
      {above}
      <nav className="nav-links" style={{ gap: 2 }} aria-label="Main">
        {places.map(({ label, to, icon: Picture, count, unread }) => (
          <Link
            key={to}
            to={to}
            className="nav-link"
            activeOptions={{ exact: to === home }}
            activeProps={{ className: 'active' }}
          >
            <Picture size={17} stroke={1.6} aria-hidden />
            {label}
            {unread ? <span className="push unread">{unread} new</span> : null}
            {count ? <span className="push turn small">{count.toLocaleString('en')}</span> : null}
          </Link>
        ))}
      </nav>
      <div style={{ marginTop: 'auto' }}>
        {mode}
        {person}
      </div>
    </>
  );
  return (
    <>
      <a href="#main" className="skip-link" style={first}>
        Skip to the page
      </a>
      <div className="shell">
        {wide ? (
          <header className="shell-nav">
            <div className="between" style={{ display: 'flex' }}>
              <Brand part={part} to={home} />
              {bell}
            </div>
            {navigation}
          </header>
        ) : (
          <header className="shell-bar">
            <ActionIcon onClick={() => setOpen(true)} size={38} aria-label="Open the navigation">
              <IconMenu2 size={20} />
            </ActionIcon>
            <Brand part={part} to={home} />
            {bell}
          </header>
        )}
        {!wide && (
          <NavigationDrawer title={studio.name} opened={open} onClose={() => setOpen(false)}>
            {navigation}
          </NavigationDrawer>
        )}
        <div className="shell-page" style={column}>
          <main id="main" tabIndex={-1} style={{ flex: 1 }}>
            {notices}
            <div className="page">{instead ?? <Outlet />}</div>
          </main>
          <StudioFooter />
        </div>
      </div>
    </>
  );
}

/** Letters of a name beside which nothing else has room, with the part of the service or without. */
const longName = { alone: 16, beside: 8 };

export const Brand = ({ part, to }: { part?: string | undefined; to: string }) => (
  <Link to={to} className={studio.name.length > (part ? longName.beside : longName.alone) ? 'brand long' : 'brand'}>
    <Mark size={20} />
    <span className="brand-name">{studio.name}</span>{' '}
    {part && (
      <span className="brand-part second" style={badge}>
        {part}
      </span>
    )}
  </Link>
);

/** Reserves the place of everything that is not loaded. */
export const ShellSkeleton = () => (
  <div className="shell" aria-busy="true" aria-label="Loading">
    <div className="shell-nav">
      <Skeleton className="late" height={20} width={90} />
      <Skeleton className="late" height={200} />
    </div>
    <div className="shell-bar">
      <Skeleton className="late" height={24} width={120} />
    </div>
    <div className="page">
      <Skeleton className="late" height={28} width={180} mb={24} />
      <Skeleton className="late" height={320} />
    </div>
  </div>
);
