import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconCircleCheck, IconPlus } from '../../ui/look/icons.ts';
import { useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import type { ApiKey } from '../../app/api.ts';
import { useManagerReason, useRoleReason, useSession } from '../../app/session/session.tsx';
import { EndableList } from '../../app/endable-list.tsx';
import { readPages } from '../../app/reads.ts';
import { usePages, useRead, useReads } from '../../app/use-reads.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { curl } from '../../ui/page/curl.ts';
import { type Column, Empty, ListFoot } from '../../ui/list/list.tsx';
import { useInstallation } from '../../app/installation.ts';
import { KeyOnce } from '../../ui/dialog/key-once.tsx';
import { RowButton } from '../../ui/list/row-button.tsx';
import { Forbidden, Loaded, PageHead } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';
import { scopeWords } from '../../ui/job/words.ts';
import { AppsOfAccount } from './connected-apps.tsx';
import { keyWays, type Made, NewKey, Rotate } from './key-dialogs.tsx';
import { keysReads } from './keys.reads.ts';

export function Keys() {
  const forbidden = useRoleReason();
  const { plans } = useSession();
  const reason = useManagerReason();
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<Made | null>(null);
  const [rotating, setRotating] = useState<ApiKey | null>(null);
  const keys = usePages(readPages('listApiKeys'), { enabled: forbidden === null });
  const usage = useRead(useReads(keysReads).usage);
  const active = keys.data?.filter(({ status }) => status === 'active').length ?? 0;
  const lead = useInstallation()?.api_key_lead ?? '';
  const jobsOf = (id: string) =>
    usage.data?.usage.summaries.by_api_key.find((item) => item.api_key_id === id)?.quantity ?? 0;
  return (
    <>
      <PageHead title="API keys" below={keys.data && `${active} active · for programs that order and follow jobs`}>
        <Button component="a" href="/docs/" variant="default">
          API reference
        </Button>
        <ActionButton
          variant={keys.data?.length === 0 ? 'default' : 'filled'}
          icon={<IconPlus size={16} />}
          reason={reason}
          onClick={() => setMaking(true)}
        >
          New key
        </ActionButton>
      </PageHead>
      {/* Warns before a key is made that would be refused. */}
      {!forbidden && !plans.api_access && (
        <p className="note turn" style={{ marginBottom: 20 }}>
          No active plan of the account serves programs: a key can read, but not order.{' '}
          <Link to={customerPages.plans}>See plans</Link>
        </p>
      )}
      {forbidden ? (
        <Forbidden>Keys are made, seen and revoked here. {forbidden}</Forbidden>
      ) : (
        <Loaded query={keys}>
          {(rows) =>
            rows.length === 0 ? (
              <NoKeys reason={reason} onMake={() => setMaking(true)} />
            ) : (
              <EndableList
                label="API keys"
                rows={rows}
                columns={columns(lead, jobsOf)}
                rowKey={({ id }) => id}
                {...ending(setRotating)}
              >
                {keys.more && <ListFoot shown={`${rows.length} shown`} more={keys.more} loading={keys.loadingMore} />}
              </EndableList>
            )
          }
        </Loaded>
      )}
      {/* Read meanwhile, and shown where it stays. */}
      {!forbidden && (
        <div hidden={!keys.data && !keys.error}>
          <AppsOfAccount />
        </div>
      )}
      {making && <NewKey onClose={() => setMaking(false)} onMade={(key) => (setMaking(false), setMade(key))} />}
      {made && (
        <KeyOnce
          title={`Key “${made.name}”`}
          secret={made.secret}
          shown={(secret) => secret.lastIndexOf('_')}
          ifLost="Replace this key to get another one."
          ways={keyWays()}
          onClose={() => setMade(null)}
        />
      )}
      {rotating && <Rotate apiKey={rotating} onClose={() => setRotating(null)} onMade={setMade} />}
    </>
  );
}

const NoKeys = ({ reason, onMake }: { reason: string | null; onMake: () => void }) => (
  <Empty
    action={
      <ActionButton reason={reason} onClick={onMake}>
        Make the first key
      </ActionButton>
    }
    command={curl({ path: '/api/v1/jobs' })}
  >
    A key lets a program order and follow jobs for this account.
  </Empty>
);

const ending = (onRotate: (key: ApiKey) => void) => ({
  end: 'Revoke',
  endLabel: ({ name }: ApiKey) => `Revoke ${name}`,
  canEnd: ({ status }: ApiKey) => status === 'active',
  buttons: (key: ApiKey) => (
    <RowButton label={`Replace ${key.name}`} onClick={() => onRotate(key)}>
      Replace
    </RowButton>
  ),
  ask: ({ id, name }: ApiKey) => ({
    title: `Revoke “${name}”?`,
    confirm: 'Revoke the key',
    children: 'Programs that use it are refused at once, everywhere. This cannot be undone; jobs that it ordered stay.',
    operation: 'deleteApiKey' as const,
    input: { path: { id } },
  }),
});

const columns = (lead: string, jobsOf: (id: string) => number): Column<ApiKey>[] => [
  {
    head: 'Name',
    width: '26%',
    cell: ({ name, created_by, created_at }) => (
      <span className="ink">
        {name}
        <span className="cell-second">
          {created_by ? `${created_by.name}, ` : 'Made '}
          <Time at={created_at} as="day" />
        </span>
      </span>
    ),
  },
  { head: 'Key', cell: ({ prefix }) => <span className="mono">{`${lead}_${prefix}_…`}</span> },
  { head: 'May', cell: ({ scopes }) => scopes.map((scope) => scopeWords[scope]).join(', ') },
  { head: 'State', cell: (key) => <KeyState apiKey={key} /> },
  { head: 'Last used', named: true, cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : 'never') },
  { head: 'Jobs this period', named: true, end: true, cell: ({ id }) => <span className="numbers">{jobsOf(id)}</span> },
];

function KeyState({ apiKey: { status, expires_at, revoked_at } }: { apiKey: ApiKey }) {
  const [word, ended] = status === 'revoked' ? ['Revoked', revoked_at] : ['Expired', expires_at];
  if (status !== 'active')
    return (
      <span className="third">
        {word} {ended && <Time at={ended} as="day" />}
      </span>
    );
  return (
    <span className="status good">
      <IconCircleCheck size={14} aria-hidden /> Active
      {expires_at && (
        <span className="third">
          until <Time at={expires_at} as="moment" />
        </span>
      )}
    </span>
  );
}
