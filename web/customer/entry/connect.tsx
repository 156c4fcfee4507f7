import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { customerPages } from '../../../contract/pages.ts';
import { AtelierError, operationQuery } from '../../app/api.ts';
import { pathTo, useAddress } from '../../ui/page/address.ts';
import { Entry } from '../../ui/page/entry.tsx';
import { Loaded } from '../../ui/page/page.tsx';
import { Consent } from './consent.tsx';
import { SignInFirst } from './sign-in-first.tsx';
import { NotYou } from './who-asks.tsx';

/** An app sent the browser here. Its request is signed by the service, in the address. */
export function Connect() {
  const [{ request = '', error, error_description: why }] = useAddress<'request' | 'error' | 'error_description'>();
  const read = useQuery({
    ...operationQuery('readConnection', { query: { request } }),
    enabled: request !== '',
    staleTime: 'static',
  });
  if (error !== undefined || request === '') return <Refused why={why ?? ''} />;
  if (isStatus(read.error, 401))
    return (
      <SignInFirst
        title="Sign in to connect an app"
        next={pathTo(customerPages.connect, {}, { request })}
        onSignedIn={() => void read.refetch()}
      />
    );
  if (isStatus(read.error, 400)) return <Refused why="it is no longer valid" />;
  return (
    <Entry
      title="Connect an app"
      isDecision={read.data !== undefined}
      below={<NotYou onSignedOut={() => void read.refetch()} />}
    >
      <Loaded query={read} height={520}>
        {(wish) => <Consent wish={wish} onDecided={({ to }) => to !== null && location.assign(to)} />}
      </Loaded>
    </Entry>
  );
}

const isStatus = (error: Error | null, status: number): boolean =>
  error instanceof AtelierError && error.status === status;

/** The words come with the address, so anybody could have written them: they stand in quotes, as text. */
const Refused = ({ why }: { why: string }) => (
  <Entry title="This app cannot be connected" below={<Link to={customerPages.home}>Go to your jobs</Link>}>
    <p className="note turn">
      Its request cannot be answered{why && `: “${why.slice(0, 200)}”`}. Nothing was let in; begin again in the app.
    </p>
  </Entry>
);
