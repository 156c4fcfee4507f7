import { Button, Radio, SegmentedControl, Select } from '@mantine/core';
import { IconLock, IconShieldLock } from '@tabler/icons-react';
import { useState } from 'react';
import { type Output, useOperation } from '../../app/api.ts';
import { Failure } from '../../ui/page/failure.tsx';
import { Time } from '../../ui/time/time.tsx';
import './consent.css';

type Wish = Output<'readConnection'>;
type Props = { wish: Wish; code?: string; onDecided: (to: string | null) => void };
type Days = 7 | 30 | 90;

const inDays = (days: Days) => new Date(Date.now() + days * 86_400_000).toISOString();

/** What was asked for can be lessened here, never widened. */
export function Consent({ wish, code, onDecided }: Props) {
  const usable = wish.accounts.filter(({ suspended }) => !suspended);
  const [accountId, setAccountId] = useState(usable[0]?.id ?? null);
  const [chosen, setChosen] = useState<'read' | 'order'>(wish.scopes.includes('api:write') ? 'order' : 'read');
  const [days, setDays] = useState<Days>(30);
  const decide = useOperation('decideConnection', ({ redirect_to }) => onDecided(redirect_to));
  const account = usable.find(({ id }) => id === accountId);
  const orders = chosen === 'order' && account?.may_order === true;
  const deny = () => decide.mutate({ body: { request: wish.request, allow: false } });
  const allow = () => {
    if (!account) return;
    const scopes = orders ? (['api:read', 'api:write'] as const) : (['api:read'] as const);
    decide.mutate({ body: { request: wish.request, allow: true, account_id: account.id, scopes: [...scopes], days } });
  };
  return (
    <div className="stack">
      <WhoAsks wish={wish} code={code} />
      <Select
        label="For the account"
        data={usable.map(({ id, name }) => ({ value: id, label: name }))}
        value={accountId}
        onChange={setAccountId}
        allowDeselect={false}
        error={usable.length === 0 ? 'You have no account that an app can be let into.' : null}
      />
      <Rights wish={wish} mayOrder={account?.may_order ?? false} orders={orders} onChoose={setChosen} />
      <div className="consent-until">
        <span id="consent-until">Until</span>
        <SegmentedControl
          fullWidth
          aria-labelledby="consent-until"
          data={[
            { value: '7', label: '7 days' },
            { value: '30', label: '30 days' },
            { value: '90', label: '90 days' },
          ]}
          value={String(days)}
          onChange={(value) => setDays(Number(value) as Days)}
        />
        <p className="small second">
          <Time at={inDays(days)} as="weekday" />, or sooner: end it in your settings at any time.
        </p>
      </div>
      <p className="small second consent-never">
        <IconShieldLock size={16} aria-hidden />
        Never: plans and payments, members, keys, your password. What it does stands in your name in each job’s story.
      </p>
      {decide.error && <Failure error={decide.error} />}
      <div className="consent-buttons">
        <Button variant="default" onClick={deny} disabled={decide.isPending}>
          Deny
        </Button>
        <Button onClick={allow} loading={decide.isPending} disabled={!account}>
          Allow
        </Button>
      </div>
    </div>
  );
}

/** The checked address tells who asks. The name is only what the app claims. */
function WhoAsks({ wish: { app, redirect_host: to }, code }: { wish: Wish; code: string | undefined }) {
  return (
    <header className="consent-who">
      <span className="consent-letter" aria-hidden>
        {app.name.slice(0, 1).toUpperCase()}
      </span>
      <h2>{app.name} asks for access</h2>
      {app.host !== null && (
        <p className="consent-host">
          <IconLock size={16} aria-hidden /> <span className="mono">{app.host}</span>
        </p>
      )}
      {code !== undefined && (
        <>
          <p className="consent-code mono">{code}</p>
          <p className="small second">Allow it only if your own terminal shows this code.</p>
        </>
      )}
      {!app.checked && <p className="note turn">Anybody can choose this name. The address is not checked.</p>}
      {to !== null && <p className="small second">Afterwards your browser goes to {to}.</p>}
    </header>
  );
}

type RightsProps = { wish: Wish; mayOrder: boolean; orders: boolean; onChoose: (chosen: 'read' | 'order') => void };

function Rights({ wish, mayOrder, orders, onChoose }: RightsProps) {
  const isAsked = wish.scopes.includes('api:write');
  const ordering = isAsked
    ? 'Also order from your quota, write to the studio, ask for changes and approve.'
    : 'The app does not ask for it.';
  return (
    <Radio.Group label="It may" value={orders ? 'order' : 'read'} onChange={(value) => onChoose(value)}>
      <div className="stack" style={{ gap: 10 }}>
        <Radio value="read" label="Read" description="See jobs, words, files, deliveries and usage." />
        <Radio
          value="order"
          label={isAsked ? 'Read and order (asked for)' : 'Read and order'}
          description={isAsked && !mayOrder ? 'Only owners and admins of the account can allow it.' : ordering}
          disabled={!isAsked || !mayOrder}
        />
      </div>
    </Radio.Group>
  );
}
