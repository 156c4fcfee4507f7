import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../app/api.ts';
import { Loaded } from '../../ui/page/page.tsx';
import { ConnectedApps } from './connected-apps.tsx';

/** Below the keys, for owners and admins. */
export function AppsOfAccount() {
  const apps = useQuery(operationQuery('listConnectedApps'));
  return (
    <section className="apps">
      <header>
        <h2>Connected apps</h2>
        <p className="small second">
          Let in by a person of this account, without a key. Each ends by itself; ended, it is out within five seconds.
        </p>
      </header>
      <Loaded query={apps} height={80}>
        {({ connected_apps }) => <ConnectedApps apps={connected_apps} end="endConnectedApp" withPeople />}
      </Loaded>
    </section>
  );
}
