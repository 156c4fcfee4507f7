import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import { manages } from '../../../contract/plans/roles.ts';
import {
  actFor,
  AtelierError,
  type CurrentSession,
  type Me,
  type Member,
  operationQuery,
  queryClient,
  whenSession,
} from '../api.ts';
import { meRead, sessionRead } from '../reads.ts';
import { useRead } from '../use-reads.ts';
import { Entry } from '../../ui/page/entry.tsx';
import { Failure } from '../../ui/page/page.tsx';
import { part } from '../../ui/page/part.tsx';
import { ShellSkeleton } from '../../ui/shell/shell.tsx';
import { forgetSignedIn, rememberSignedIn } from './was-signed-in.ts';

const waiting = <ShellSkeleton />;
// Rarely needed and large.
const NoAccount = part(() => import('./no-account.tsx'), 'NoAccount', waiting);
const ChooseName = part(() => import('./choose-name.tsx'), 'ChooseName', waiting);
const loadSignIn = () => import('./sign-in-again.tsx');
const SignInAgain = part(loadSignIn, 'SignInAgain');

export type Account = NonNullable<CurrentSession['account']>;

/** What a page is for: the person's own account, or one that they view as an operator. */
type Subject = { account: Account; role: Member['role']; view: View | null };
export type View = NonNullable<CurrentSession['view']>;

export type Session = Subject & {
  user: CurrentSession['user'];
  /** What another window has switched to, or whose view began or ended there. */
  elsewhere: Subject | null;
  plans: Me['entitlement_summary'];
};

const SessionContext = createContext<Session | null>(null);

/** Only inside `SignedIn`. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('This part of the page needs a session.');
  return session;
}

export const ownersOf = (members: Member[]): Member[] => members.filter(({ role }) => role === 'owner');

function useUnverifiedReason(): string | null {
  const { user, view } = useSession();
  if (view) return 'You are viewing this account, which is read only.';
  return user.email_verified ? null : 'Verify your e-mail address first: the link is in the mail that we sent you.';
}

/** Why the person cannot change anything in the account now; null if they can. */
export function useReadOnlyReason(): string | null {
  const { account, view } = useSession();
  const unverified = useUnverifiedReason();
  return account.suspended_since && !view ? 'The studio has suspended this account.' : unverified;
}

/** Why the person cannot manage the account now; null if they can. */
export function useManagerReason(): string | null {
  const forbidden = useRoleReason();
  const readOnly = useReadOnlyReason();
  return forbidden ?? readOnly;
}

/** The same for what ends or takes away: a suspended account still can. */
export function useEndingReason(): string | null {
  const forbidden = useRoleReason();
  const unverified = useUnverifiedReason();
  return forbidden ?? unverified;
}

/** For members and reviewers: who can manage the account. Null for owners and admins. */
export function useRoleReason(): string | null {
  const { role } = useSession();
  const ask = useWhomToAsk(!manages(role));
  return manages(role) ? null : `Only owners and admins of the account can do this.${ask}`;
}

/** Whether the person may order, and see drafts, plans and usage: no reviewer, and nobody in a view. */
export function useOrders(): boolean {
  const { role, view } = useSession();
  return role !== 'reviewer' && !view;
}

/** For reviewers: what they may not see, and whom to ask. Null for everybody else. */
export function useReviewerReason(): string | null {
  const isReviewer = useSession().role === 'reviewer';
  const ask = useWhomToAsk(isReviewer);
  return isReviewer ? `You review work in this account. Others order and see plans, usage and keys.${ask}` : null;
}

function useWhomToAsk(enabled: boolean): string {
  const members = useQuery({ ...operationQuery('listMembers'), enabled, staleTime: 60_000 });
  const owners = ownersOf(members.data?.members ?? []).map(({ user }) => user.name);
  return owners.length > 0 ? ` Ask an owner: ${owners.join(', ')}.` : '';
}

const signInPage = () => `${customerPages.signIn}?next=${encodeURIComponent(location.pathname + location.search)}`;

/** At the desk a view changes nothing. */
function subjectOf({ account, role, view }: CurrentSession, atDesk: boolean): Subject | null {
  if (view && !atDesk) return { account: view.account, role: 'owner', view };
  return account && role && { account, role, view: null };
}

const isSame = (first: Subject, other: Subject) =>
  first.account.id === other.account.id && (first.view === null) === (other.view === null);

/** Visitors are sent to sign in. If a session ends later, a dialog asks for it and keeps the page. */
export function SignedIn({ children, atDesk = false }: { children: ReactNode; atDesk?: boolean }) {
  const session = useRead(sessionRead);
  const { data } = session;
  const now = data ? subjectOf(data, atDesk) : null;
  const me = useRead(meRead, { enabled: now !== null });
  // The page keeps its account even if another tab switches.
  const [subject, setSubject] = useState<Subject | null>(null);
  if (subject === null && now) {
    if (!atDesk) actFor(now.account.id);
    setSubject(now);
  }
  const error = session.error ?? me.error;
  const stranger = data === undefined && error instanceof AtelierError && error.status === 401;
  const isSignedIn = data !== undefined;
  useEffect(() => {
    if (isSignedIn) rememberSignedIn();
    if (!stranger) return;
    forgetSignedIn();
    location.replace(signInPage());
  }, [isSignedIn, stranger]);
  if (data?.user.name_needed) return <ChooseName ownsAccount={data.role === 'owner'} />;
  if (subject && now && data && me.data) {
    const { user } = data;
    const elsewhere = isSame(subject, now) ? null : now;
    const plans = withPlans(me.data.entitlement_summary);
    return (
      <SessionContext value={{ user, ...(elsewhere ? subject : now), elsewhere, plans }}>
        {children}
        <SessionLostDialog email={user.email} />
      </SessionContext>
    );
  }
  if (data && !now) return <NoAccount />;
  if (error && !stranger)
    return (
      <Entry title="This page cannot be opened now">
        <Failure error={error} retry={() => void Promise.all([session.refetch(), me.refetch()])} />
      </Entry>
    );
  return waiting;
}

/** A service of the version before, which may still answer during an upgrade, names codes only. */
function withPlans(summary: Omit<Session['plans'], 'plans'> & Partial<Session['plans']>): Session['plans'] {
  const facts = {
    status: 'active',
    status_detail: null,
    ends_at: null,
    paid_until: null,
    collection_paused: false,
  } as const;
  return { ...summary, plans: summary.plans ?? summary.plan_codes.map((plan_code) => ({ plan_code, ...facts })) };
}

/** Signing in here keeps what was typed. */
function SessionLostDialog({ email }: { email: string }) {
  const [lost, setLost] = useState(false);
  useEffect(() => {
    whenSession({
      lost: () => setLost(true),
      changed: () => void queryClient.invalidateQueries({ queryKey: ['readSession'] }),
    });
    // Loaded early: a deployment that ends the session also removes this file.
    const later = setTimeout(() => void loadSignIn().catch(() => {}), 1_500);
    return () => clearTimeout(later);
  }, []);
  const signedIn = (as: { email: string }) => {
    // The page belongs to the person who was signed in before.
    if (as.email !== email) return location.assign('/');
    setLost(false);
    return void queryClient.invalidateQueries();
  };
  return lost && <SignInAgain email={email} onSignedIn={signedIn} onClose={() => setLost(false)} />;
}
