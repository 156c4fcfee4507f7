import { Box, Group, SegmentedControl } from '@mantine/core';
import { notifyManager } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { operationQuery, type Output, queryClient, useOperation } from '../../app/api.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { Failure } from '../../ui/page/page.tsx';
import { pageReads } from '../reads.ts';
import { Row } from './settings-row.tsx';

type Choice = Output<'readNotificationChoices'>['notification_choices'][number];

const words = [
  { value: 'now', label: 'Now' },
  { value: 'daily', label: 'Daily' },
  { value: 'never', label: 'Never' },
];

const sayMail = { now: 'At once', daily: 'Once a day, at 7:00', never: 'Never' };

/** The kinds of each row, by what they are about. Those of the studio are one row. */
const ofAccount = ['plan', 'webhook', 'key_expiring', 'sign_in'];
const rows: { term: string; about: string; has: (choice: Choice) => boolean }[] = [
  {
    term: 'The work',
    about: 'deliveries, messages, approvals, orders, colleagues',
    has: ({ side, kind }) => side === 'customer' && !ofAccount.includes(kind),
  },
  {
    term: 'The account',
    about: 'plans, keys, webhooks, sign-ins',
    has: ({ side, kind }) => side === 'customer' && ofAccount.includes(kind),
  },
  { term: 'At the desk', about: 'what happens at the studio', has: ({ side }) => side === 'studio' },
];

/** Every kind stays behind the bell; a person chooses which are mailed, and when. */
export function MailRows() {
  const { data } = useRead(useReads(pageReads.settings).choices);
  const all = data?.notification_choices ?? [];
  return rows
    .filter(({ term, has }) => term !== 'At the desk' || all.some(has))
    .map(({ term, about, has }) => (
      <Row key={term} term={term} value={data && sayChoices(all.filter(has))} more={about} back="Close">
        {() => (
          <Box component="section" className="stack" style={{ gap: 10 }} aria-label={term}>
            <p className="small second">Daily mails leave at 7:00 in the studio’s time zone.</p>
            {all.filter(has).map((choice) => (
              <OneChoice key={choice.kind} choice={choice} />
            ))}
          </Box>
        )}
      </Row>
    ));
}

/** "At once", or "3 at once, 1 never". */
function sayChoices(choices: Choice[]): string {
  const groups = [...Map.groupBy(choices, ({ mail }) => mail)];
  if (groups.length === 1 && groups[0]) return sayMail[groups[0][0]];
  return groups.map(([mail, some]) => `${some.length} ${sayMail[mail].toLowerCase()}`).join(', ');
}

function OneChoice({ choice: { kind, says, mail } }: { choice: Choice }) {
  const { chosen, choose, error } = useChoosing(kind);
  return (
    <Group justify="space-between" gap="6px 16px" py={8} style={{ borderTop: '1px solid var(--line)' }}>
      <Box component="span" flex="1 1 260px">
        {says}
      </Box>
      <SegmentedControl
        aria-label={says}
        data={words}
        value={chosen ?? mail}
        onChange={(value) => void choose(value as Choice['mail'])}
      />
      {error && <Failure error={error} />}
    </Group>
  );
}

/** Arrow keys are faster than a slow line: the last choice is sent last, and shown until it is saved. */
function useChoosing(kind: Choice['kind']) {
  const [chosen, setChosen] = useState<Choice['mail'] | null>(null);
  const lastChosen = useRef<Choice['mail'] | null>(null);
  const { mutateAsync: send, error } = useOperation('chooseNotifications', (answer) =>
    queryClient.setQueryData(operationQuery('readNotificationChoices').queryKey, answer),
  );
  const choose = async (value: Choice['mail']) => {
    const isSending = lastChosen.current !== null;
    lastChosen.current = value;
    setChosen(value);
    if (isSending) return;
    let sent;
    do {
      sent = lastChosen.current;
      await send({ body: { kinds: [kind], mail: sent } }).catch(() => null);
    } while (lastChosen.current !== sent);
    lastChosen.current = null;
    // After the list has rendered the answer.
    notifyManager.schedule(() => setChosen(null));
  };
  return { chosen, choose, error };
}
