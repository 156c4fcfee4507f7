import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { customerPages } from '../contract/pages.ts';
import { AtelierError, type Me, operationQuery, queryClient, whenSessionLost } from './api.ts';
import { Failure } from './ui/failure.tsx';
import { SignInForm } from './ui/sign-in-form.tsx';

export type Session = {
  user: { id: string; name: string; email: string };
  account: { id: string; name: string };
  role: 'owner' | 'admin' | 'member';
  plans: Me['entitlement_summary'];
};

const SessionContext = createContext<Session | null>(null);

/** Who is signed in. Only below `SignedIn`. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('This part of the page needs a session.');
  return session;
}

/** Whether the person may do what owners and admins may; else the sentence that tells who can. */
export function useManagerReason(): string | null {
  const { role } = useSession();
  return role === 'member' ? 'Only owners and admins of the account can do this.' : null;
}

/** Own paths only: an address that another site made must not lead away after signing in. */
export const ownPath = (next: string | null): string => (next && /^\/(?![/\\])/.test(next) ? next : '/');

const signInPage = () => `${customerPages.signIn}?next=${encodeURIComponent(location.pathname + location.search)}`;

/** What it wraps is for a signed-in person. Who is not yet goes to sign in; who was gets a dialog, and keeps the page. */
export function SignedIn({ children, waiting }: { children: ReactNode; waiting: ReactNode }) {
  const { data, error, refetch } = useQuery({ ...operationQuery('readMe'), staleTime: 30_000 });
  const stranger = data === undefined && error instanceof AtelierError && error.status === 401;
  useEffect(() => {
    if (stranger) location.replace(signInPage());
  }, [stranger]);
  if (data?.user && data.role) {
    const { user, account, role, entitlement_summary: plans } = data;
    return (
      <SessionContext value={{ user, account, role, plans }}>
        {children}
        <SessionLostDialog email={user.email} />
      </SessionContext>
    );
  }
  if (error && !stranger) return <Failure error={error} retry={() => void refetch()} />;
  return waiting;
}

function SessionLostDialog({ email }: { email: string }) {
  const [lost, setLost] = useState(false);
  useEffect(() => whenSessionLost(() => setLost(true)), []);
  const signedIn = (as: { email: string }) => {
    // What is on the page belongs to the person who left it.
    if (as.email !== email) return location.assign('/');
    setLost(false);
    return void queryClient.invalidateQueries();
  };
  return (
    <Modal opened={lost} onClose={() => setLost(false)} title="Please sign in again" closeOnClickOutside={false}>
      <p className="second">Your session has ended. What you typed is still here.</p>
      <SignInForm email={email} onSignedIn={signedIn} />
    </Modal>
  );
}
