import { Box, Button, SegmentedControl, Switch, TextInput, useMantineColorScheme } from '@mantine/core';
import { useState } from 'react';
import { useOperation } from '../../app/api.ts';
import { EndableList } from '../../app/endable-list.tsx';
import { DeleteMe, YourData } from '../../app/session/leave.tsx';
import { ownersOf, useManagerReason, useSession } from '../../app/session/session.tsx';
import { useRead, useReads } from '../../app/use-reads.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { Failure, Loaded, notify, PageHead, Panel } from '../../ui/page/page.tsx';
import { ConfirmOperation } from '../../app/confirm-operation.tsx';
import { useFields } from '../../ui/form/use-fields.ts';
import { setSingleKeys, singleKeysOn } from '../../ui/shell/shortcuts.tsx';
import { Time } from '../../ui/time/time.tsx';
import { ConnectedApps } from '../developer/connected-apps.tsx';
import { Email, Password } from '../entry/credentials.tsx';
import { CloseAccount } from './leaving.tsx';
import { NotificationChoices } from './notification-choices.tsx';
import { SecondFactor } from './second-factor.tsx';
import { pageReads } from '../reads.ts';

export function Settings() {
  const { role } = useSession();
  return (
    <>
      <PageHead title="Settings" />
      <Box className="stack" maw={720}>
        <Name />
        <Email />
        <Password />
        <SecondFactor />
        <NotificationChoices />
        <Appearance />
        <Sessions />
        <MyApps />
        <Account />
        {role === 'owner' && <CloseAccount />}
        <YourData />
        <DeleteMe />
      </Box>
    </>
  );
}

function Name() {
  const { user } = useSession();
  const change = useOperation('changeProfile', () => notify('Your name is changed.'));
  const { fields, field } = useFields({ name: user.name }, change.error);
  return (
    <Panel title="Your name">
      <form className="row" onSubmit={(event) => (event.preventDefault(), change.mutate({ body: fields }))}>
        <TextInput aria-label="Your name" maxLength={100} {...field('name')} />
        <Button
          type="submit"
          variant="default"
          loading={change.isPending}
          disabled={fields.name.trim() === '' || fields.name === user.name}
        >
          Change the name
        </Button>
      </form>
      {change.error && <Failure error={change.error} fields={['name']} />}
    </Panel>
  );
}

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [keys, setKeys] = useState(singleKeysOn);
  return (
    <Panel title="This browser">
      <div className="stack">
        <SegmentedControl
          aria-label="Colours"
          style={{ alignSelf: 'flex-start' }}
          data={[
            { value: 'auto', label: 'As the system' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
          value={colorScheme}
          onChange={(value) => setColorScheme(value)}
        />
        <Switch
          label="Single keys, such as c for a new job"
          checked={keys}
          onChange={(event) => {
            setSingleKeys(event.currentTarget.checked);
            setKeys(event.currentTarget.checked);
          }}
        />
      </div>
    </Panel>
  );
}

function Sessions() {
  const sessions = useRead(useReads(pageReads.settings).sessions);
  return (
    <Panel title="Where you are signed in" flush>
      <Loaded query={sessions} height={80}>
        {({ sessions: rows }) => (
          <EndableList
            label="Sessions"
            tight
            rows={rows}
            rowKey={({ id }) => id}
            columns={[
              {
                head: 'Where',
                cell: ({ device, address }) => (
                  <span className="ink">{[device, address].filter(Boolean).join(' · ')}</span>
                ),
              },
              { head: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
            ]}
            end="End"
            endLabel={({ device }) => `End the session of ${device}`}
            canEnd={({ current }) => !current}
            instead={() => 'this one'}
            ask={({ id, device }) => ({
              title: `End the session of ${device}?`,
              confirm: 'End the session',
              children: 'It is signed out at once. Signing in there again needs the password.',
              operation: 'endSession',
              input: { path: { id } },
            })}
          />
        )}
      </Loaded>
    </Panel>
  );
}

function MyApps() {
  const apps = useRead(useReads(pageReads.settings).apps);
  return (
    <Panel title="Apps that you connected">
      <Loaded query={apps} height={80}>
        {({ connected_apps }) => <ConnectedApps apps={connected_apps} end="endMyConnectedApp" />}
      </Loaded>
    </Panel>
  );
}

function Account() {
  const { account, role } = useSession();
  const forbidden = useManagerReason();
  const members = useRead(useReads(pageReads.settings).members);
  const lastOwner = role === 'owner' && ownersOf(members.data?.members ?? []).length === 1;
  const rename = useOperation('renameAccount');
  const { fields, field } = useFields({ name: account.name }, rename.error);
  const run = () => rename.mutate({ body: fields }, { onSuccess: () => notify('The account is renamed.') });
  const isSame = fields.name.trim() === '' || fields.name === account.name;
  const [leaving, setLeaving] = useState(false);
  return (
    <Panel title="The account">
      <form className="row" onSubmit={(event) => (event.preventDefault(), run())}>
        <TextInput aria-label="Name of the account" maxLength={100} disabled={forbidden !== null} {...field('name')} />
        <ActionButton
          variant="default"
          reason={forbidden ?? (isSame ? 'Give it another name first.' : null)}
          loading={rename.isPending}
          onClick={run}
        >
          Rename
        </ActionButton>
        <ActionButton
          variant="subtle"
          color="bad"
          className="push"
          reason={lastOwner ? 'The account needs an owner: make somebody else an owner first.' : null}
          onClick={() => setLeaving(true)}
        >
          Leave the account
        </ActionButton>
      </form>
      {rename.error && <Failure error={rename.error} fields={['name']} />}
      <ConfirmOperation
        opened={leaving}
        onClose={() => setLeaving(false)}
        title={`Leave ${account.name}?`}
        confirm="Leave"
        destructive
        operation="leaveAccount"
        input={{ path: { id: account.id } }}
        onDone={() => location.assign('/')}
      >
        You lose access at once; keys that you made are revoked.
      </ConfirmOperation>
    </Panel>
  );
}
