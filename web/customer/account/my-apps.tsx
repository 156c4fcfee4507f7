import { useRead, useReads } from '../../app/use-reads.ts';
import { Loaded, Panel } from '../../ui/page/page.tsx';
import { ConnectedApps } from '../developer/connected-apps.tsx';
import { settingsReads } from './settings.reads.ts';

export function MyApps() {
  const apps = useRead(useReads(settingsReads).apps);
  return (
    <Panel title="Apps that you connected">
      <Loaded query={apps} height={80}>
        {({ connected_apps }) => <ConnectedApps apps={connected_apps} end="endMyConnectedApp" />}
      </Loaded>
    </Panel>
  );
}
