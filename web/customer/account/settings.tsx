import { SegmentedControl, Switch, TextInput, useMantineColorScheme } from '@mantine/core';
import { useState } from 'react';
import { useOperation } from '../../app/api.ts';
import { EndableList } from '../../app/endable-list.tsx';
import { useSession } from '../../app/session/session.tsx';
import { useRead, useReads } from '../../app/use-reads.ts';
import { useFields } from '../../ui/form/use-fields.ts';
import { PageForm } from '../../ui/form/page-form.tsx';
import { counted } from '../../ui/job/words.ts';
import { Failure, Loaded, notify, PageHead } from '../../ui/page/page.tsx';
import { Section } from '../../ui/page/section.tsx';
import { setSingleKeys, singleKeysOn } from '../../ui/shell/shortcuts.tsx';
import { Time } from '../../ui/time/time.tsx';
import { ConnectedApps } from '../developer/connected-apps.tsx';
import { EmailForm, PasswordForm } from '../entry/credentials.tsx';
import { pageReads } from '../reads.ts';
import { CalendarRow } from './calendar.tsx';
import { MailRows } from './notification-choices.tsx';
import { SecondFactor } from './second-factor.tsx';
import { AccountSection } from './settings-account.tsx';
import { Row, Sections } from './settings-row.tsx';

export function Settings() {
  const reads = useReads(pageReads.settings);
  const all = [useRead(reads.sessions), useRead(reads.choices), useRead(reads.apps), useRead(reads.calendar)];
  const failed = all.filter(({ data, error }) => error && !data);
  return (
    <>
      <PageHead title="Settings" />
      {failed[0]?.error && (
        <Failure error={failed[0].error} retry={() => failed.forEach(({ refetch }) => void refetch())} />
      )}
      <Sections>
        <Profile />
        <Section id="mails" title="Mails" below="All of it is behind the bell, too. The page of a job mutes that job.">
          <MailRows />
        </Section>
        <Security />
        <Section id="apps" title="Apps" below="Act for you until their day or until you end them.">
          <AppsRow />
          <CalendarRow />
        </Section>
        <AccountSection />
      </Sections>
    </>
  );
}

const schemes = { auto: 'Colours as the system', light: 'Light colours', dark: 'Dark colours' };

function Profile() {
  const { user } = useSession();
  const { colorScheme } = useMantineColorScheme();
  const [keys, setKeys] = useState(singleKeysOn);
  return (
    <Section id="profile" title="Profile" below="What colleagues and the studio see.">
      <Row term="Your name" value={<bdi>{user.name}</bdi>}>
        {(close) => <NameForm onDone={close} />}
      </Row>
      <Row term="E-mail" value={user.email} more={user.email_verified ? 'verified' : 'not verified yet'}>
        {() => <EmailForm />}
      </Row>
      <Row
        term="This browser"
        value={schemes[colorScheme]}
        more={keys ? 'single keys on, such as c for a new job' : 'single keys off'}
        back="Close"
      >
        {() => <ThisBrowser keys={keys} onKeys={setKeys} />}
      </Row>
    </Section>
  );
}

function NameForm({ onDone }: { onDone: () => void }) {
  const { user } = useSession();
  const change = useOperation('changeProfile', () => (notify('Your name is changed.'), onDone()));
  const { fields, field } = useFields({ name: user.name }, change.error);
  return (
    <PageForm
      submit="Change the name"
      onSubmit={() => change.mutate({ body: fields })}
      action={change}
      fields={['name']}
      variant="default"
      mr="auto"
      disabled={fields.name.trim() === '' || fields.name === user.name}
    >
      <TextInput label="Your name" maxLength={100} {...field('name')} />
    </PageForm>
  );
}

function ThisBrowser({ keys, onKeys }: { keys: boolean; onKeys: (on: boolean) => void }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
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
        onChange={({ currentTarget: { checked } }) => (setSingleKeys(checked), onKeys(checked))}
      />
    </div>
  );
}

const Security = () => (
  <Section id="security" title="Security" below="How you sign in, and where you are signed in.">
    <Row term="Password" value="Set" more="your other sessions end when you change it">
      {(close) => <PasswordForm onDone={close} />}
    </Row>
    <SecondFactor />
    <SessionsRow />
  </Section>
);

function SessionsRow() {
  const sessions = useRead(useReads(pageReads.settings).sessions);
  const rows = sessions.data?.sessions ?? [];
  const devices = rows.map(({ current, device }) => (current ? 'this one' : device));
  return (
    <Row term="Signed in" value={sessions.data && counted(rows.length, 'place')} more={devices.join(', ')} back="Close">
      {() => (
        <Loaded query={sessions} height={80}>
          {() => (
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
      )}
    </Row>
  );
}

function AppsRow() {
  const apps = useRead(useReads(pageReads.settings).apps);
  const active = apps.data?.connected_apps.filter(({ status }) => status === 'active') ?? [];
  return (
    <Row
      term="Connected apps"
      value={apps.data && (active.length === 0 ? 'None' : counted(active.length, 'app'))}
      more={active.map(({ app }) => app.name).join(', ')}
      back="Close"
    >
      {() => (
        <Loaded query={apps} height={80}>
          {({ connected_apps }) => <ConnectedApps apps={connected_apps} end="endMyConnectedApp" />}
        </Loaded>
      )}
    </Row>
  );
}
