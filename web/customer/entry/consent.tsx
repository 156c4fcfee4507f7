import { Box, Button, Radio, SegmentedControl, Select } from '@mantine/core';
import { IconShieldLock } from '../../ui/look/icons.ts';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import { type Input, type Output, useOperation } from '../../app/api.ts';
import { SignInForm } from '../../app/session/sign-in-form.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { Failure, Loaded } from '../../ui/page/page.tsx';
import { Entry } from '../../ui/page/entry.tsx';
import { Time } from '../../ui/time/time.tsx';
import { NotYou, WhoAsks } from './who-asks.tsx';

type Wish = Output<'readConnection'>;
export type Decision = { allowed: boolean; to: string | null };
type PageProps = {
  title: string;
  /** Of a program without a browser. */
  code?: string;
  query: { data: Wish | undefined; error: Error | null; refetch: () => unknown };
  height: number;
  /** Said here for a program that goes on outside the browser. */
  decided: Decision | null;
  onDecided: (decision: Decision) => void;
};

/** Who asks for what, to be allowed or denied by the person who is signed in; then what they decided. */
export const ConsentPage = ({ title, query, height, decided, ...consent }: PageProps) =>
  // The same element in both states, so that it moves the focus to the new title.
  decided ? (
    <Entry title={decided.allowed ? 'The program is connected' : 'Denied'}>
      <p>
        {decided.allowed ? 'Go back to it: it goes on by itself.' : 'Nothing was let in.'} You can close this page.
        {/* It was tried already, but a browser may ask first. */}
        {decided.to !== null && (
          <>
            {' '}
            If the program does not come up, <a href={decided.to}>open it</a>.
          </>
        )}
      </p>
    </Entry>
  ) : (
    <Entry
      title={title}
      isDecision={query.data !== undefined}
      below={<NotYou onSignedOut={() => void query.refetch()} />}
    >
      <Loaded query={query} height={height}>
        {(wish) => <Consent wish={wish} {...consent} />}
      </Loaded>
    </Entry>
  );

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** What was asked for can be lessened here, never widened. */
function Consent({ wish, code, onDecided }: Pick<PageProps, 'code' | 'onDecided'> & { wish: Wish }) {
  const usable = wish.accounts.filter(({ suspended }) => !suspended);
  const [accountId, setAccountId] = useState(usable[0]?.id ?? null);
  const [chosen, setChosen] = useState<'read' | 'order'>('read');
  const [days, setDays] = useState<7 | 30 | 90>(30);
  const decide = useOperation('decideConnection');
  const account = usable.find(({ id }) => id === accountId);
  const orders = chosen === 'order' && account?.may_order === true;
  const send = (choice: Omit<NonNullable<Input<'decideConnection'>['body']>, 'request'>) =>
    decide.mutate(
      { body: { request: wish.request, ...choice } },
      { onSuccess: ({ redirect_to }) => onDecided({ allowed: choice.allow, to: redirect_to }) },
    );
  const scopes: ('api:read' | 'api:write')[] = orders ? ['api:read', 'api:write'] : ['api:read'];
  const allow = () => account && send({ allow: true, account_id: account.id, scopes, days });
  return (
    <div className="stack">
      <WhoAsks wish={wish} code={code} />
      <Select
        label="For the account"
        data={usable.map(({ id, name }) => ({ value: id, label: name }))}
        value={accountId}
        onChange={setAccountId}
        error={usable.length === 0 ? 'You have no account that an app can be let into.' : null}
      />
      <Rights wish={wish} mayOrder={account?.may_order ?? false} orders={orders} onChoose={setChosen} />
      <div className="stack" style={{ gap: 6 }}>
        <span id="consent-until">Until</span>
        <SegmentedControl
          fullWidth
          aria-labelledby="consent-until"
          data={['7', '30', '90'].map((value) => ({ value, label: `${value} days` }))}
          value={String(days)}
          onChange={(value) => setDays(Number(value) as typeof days)}
        />
        <p className="small second">
          <Time at={inDays(days)} as="weekday" />, or sooner: end it in your settings at any time.
        </p>
      </div>
      <Box component="p" className="small second icon-line" display="flex" style={{ gap: 8, alignItems: 'flex-start' }}>
        <IconShieldLock size={16} aria-hidden />
        Never: plans and payments, members, keys, your password. What it does stands in your name in each job’s story.
      </Box>
      {decide.error && <Failure error={decide.error} />}
      <Box display="grid" style={{ gridTemplateColumns: '1fr 2fr', gap: 8 }}>
        <Button variant="default" onClick={() => send({ allow: false })} disabled={decide.isPending}>
          Deny
        </Button>
        <Button onClick={allow} loading={decide.isPending} disabled={!account}>
          Allow until&nbsp;
          <Time at={inDays(days)} as="day" />
        </Button>
      </Box>
    </div>
  );
}

const requested = (
  <Box component="span" className="tag" ml={4}>
    asked for
  </Box>
);

const frameOf = (isChosen: boolean) => ({
  p: '12px 14px',
  bd: `1px solid var(${isChosen ? '--accent' : '--line'})`,
  bdrs: 7,
  bg: isChosen ? 'var(--accent-soft)' : '',
  styles: { label: { fontWeight: 500 } },
});

type RightsProps = { wish: Wish; mayOrder: boolean; orders: boolean; onChoose: (chosen: 'read' | 'order') => void };

function Rights({ wish, mayOrder, orders, onChoose }: RightsProps) {
  const isAsked = wish.scopes.includes('api:write');
  const ordering = isAsked
    ? 'Also order from your quota, write to the studio, ask for changes and approve.'
    : 'The app does not ask for it.';
  return (
    <Radio.Group label="It may" value={orders ? 'order' : 'read'} onChange={(value) => onChoose(value)}>
      <div className="stack" style={{ gap: 10 }}>
        <Radio
          {...frameOf(!orders)}
          value="read"
          label="Read"
          description="See jobs, messages, files, deliveries and usage."
        />
        <Radio
          {...frameOf(orders)}
          value="order"
          label={<>Read and order {isAsked && requested}</>}
          description={isAsked && !mayOrder ? 'Only owners and admins of the account can allow it.' : ordering}
          disabled={!isAsked || !mayOrder}
        />
      </div>
    </Radio.Group>
  );
}

/** `next`: where somebody who is new here comes back to with an account. */
/** Who is to let an app or a program in signs in before they see what it asks for. */
export const SignInFirst = ({ title, next, onSignedIn }: { title: string; next: string; onSignedIn: () => void }) => (
  <Entry
    title={title}
    lead="Then you see who asks, and for what."
    below={
      <>
        New here? <Link to={pathTo(customerPages.signUp, {}, { next })}>Create an account</Link>
      </>
    }
  >
    <SignInForm onSignedIn={onSignedIn} />
  </Entry>
);
