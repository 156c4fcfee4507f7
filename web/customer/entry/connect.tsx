import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { authorizePath } from '../../../contract/developer/oauth.ts';
import { customerPages } from '../../../contract/pages.ts';
import { AtelierError, operationQuery } from '../../app/api.ts';
import { pathTo, useAddress } from '../../ui/page/address.ts';
import { Entry } from '../../ui/page/entry.tsx';
import { Loaded } from '../../ui/page/page.tsx';
import { ConsentPage, type Decision, SignInFirst } from './consent.tsx';
import { RefusedApp } from './refused-app.tsx';

/** An app sent the browser here. Its request is signed by the service, in the address. */
export function Connect() {
  const [{ request = '', error, resume }] = useAddress<'request' | 'error' | 'resume'>();
  const read = useQuery({
    ...operationQuery('readConnection', { query: { request } }),
    enabled: request !== '',
    staleTime: 'static',
  });
  const [decided, setDecided] = useState<Decision | null>(null);
  const leave = ({ allowed, to }: Decision) => {
    if (to === null) return;
    location.assign(to);
    if (!/^https?:/.test(to)) setDecided({ allowed, to });
  };
  const page = <ConsentPage title="Connect an app" query={read} height={520} decided={decided} onDecided={leave} />;
  if (decided !== null) return page;
  if (resume !== undefined) return <Resume query={resume} />;
  if (isStatus(read.error, 400)) return <RefusedApp code="request_over" />;
  if (error !== undefined || request === '') return <RefusedApp code={error} wish={read.data} />;
  if (isStatus(read.error, 401))
    return <SignIn next={pathTo(customerPages.connect, {}, { request })} onSignedIn={() => void read.refetch()} />;
  return page;
}

const isStatus = (error: Error | null, status: number): boolean =>
  error instanceof AtelierError && error.status === status;

const SignIn = (props: { next: string; onSignedIn: () => void }) => (
  <SignInFirst title="Sign in to connect an app" {...props} />
);

/** The service checks what an app asks for once it knows who is asked. */
function Resume({ query }: { query: string }) {
  const session = useQuery(operationQuery('readSession'));
  useEffect(() => {
    if (session.data) location.replace(`${authorizePath}?${query}`);
  }, [session.data, query]);
  if (isStatus(session.error, 401))
    return (
      <SignIn next={pathTo(customerPages.connect, {}, { resume: query })} onSignedIn={() => void session.refetch()} />
    );
  return (
    <Entry title="Connect an app">
      <Loaded query={session} height={200}>
        {() => null}
      </Loaded>
    </Entry>
  );
}
