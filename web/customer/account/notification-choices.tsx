import { Box, Group, SegmentedControl } from '@mantine/core';
import { notifyManager } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { operationQuery, type Output, queryClient, useOperation } from '../../app/api.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { Failure, Loaded, Panel } from '../../ui/page/page.tsx';
import { pageReads } from '../reads.ts';

type Choice = Output<'readNotificationChoices'>['notification_choices'][number];

const words = [
  { value: 'now', label: 'Now' },
  { value: 'daily', label: 'Daily' },
  { value: 'never', label: 'Never' },
];

const sides = { customer: 'As a customer', studio: 'At the desk' };

/** Every kind stays behind the bell; a person chooses which are mailed, and when. */
export function NotificationChoices() {
  const choices = useRead(useReads(pageReads.settings).choices);
  return (
    <Panel title="Mails">
      <p className="second">
        Everything is behind the bell, too. Daily mails leave at 7:00 in the studio’s time zone. The page of a job mutes
        that job.
      </p>
      <Loaded query={choices} height={320}>
        {({ notification_choices: all }) =>
          [...Map.groupBy(all, ({ side }) => side)].map(([side, some], index) => (
            <Box
              key={side}
              component="section"
              className="stack"
              mt={index > 0 ? 20 : 0}
              style={{ gap: 10 }}
              aria-label={sides[side]}
            >
              {some.length < all.length && (
                <Box component="h3" fz={13} m="16px 0 4px">
                  {sides[side]}
                </Box>
              )}
              <Box className="stack" mt={12} style={{ gap: 10 }}>
                {some.map((choice) => (
                  <OneChoice key={choice.kind} choice={choice} />
                ))}
              </Box>
            </Box>
          ))
        }
      </Loaded>
    </Panel>
  );
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
