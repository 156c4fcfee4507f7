import { Box, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../app/api.ts';
import { Loaded } from '../../ui/page/page.tsx';
import { ConnectedApps } from './connected-apps.tsx';

/** Below the keys, for owners and admins. */
export function AppsOfAccount() {
  const apps = useQuery(operationQuery('listConnectedApps'));
  return (
    <Box component="section" mt={36}>
      <Group align="baseline" gap="2px 10px" mb={4}>
        <Box component="h2" fz={15} fw={600}>
          Connected apps
        </Box>
        <p className="small second">
          Let in by a person of this account, without a key. Each ends by itself; ended, it is out within five seconds.
        </p>
      </Group>
      <Loaded query={apps} height={80}>
        {({ connected_apps }) => <ConnectedApps apps={connected_apps} end="endConnectedApp" withPeople />}
      </Loaded>
    </Box>
  );
}
