import { Box, Button } from '@mantine/core';
import { IconCircleCheck } from '../../ui/look/icons.ts';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { deskPages } from '../../../contract/pages.ts';
import { useOperation } from '../../app/api.ts';
import { useStoredDrafts } from '../../app/session/draft.ts';
import { useSession } from '../../app/session/session.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { failureSentence, notify } from '../../ui/page/page.tsx';
import { useWarningOnLeave } from '../../ui/page/use-warning-on-leave.ts';
import { KeyHint, useShortcut } from '../../ui/shell/shortcuts.tsx';
import { forgetUnsaved } from './delivery-draft.ts';
import { type HeldBack, holdSeconds, setHeld, takeBack, useHeldBack } from './held-back.ts';
import { forgetLease } from './lease.ts';

/** What goes out in some seconds. Nothing is sent before; hover and focus stop the time. */
export function HeldBackToasts() {
  const { user } = useSession();
  const releases = useHeldBack().filter(({ by }) => by === user.id);
  useWarningOnLeave(releases.length > 0);
  return (
    <section aria-label="Going out" aria-live="polite">
      {releases.map((release) => (
        <Toast key={release.id} release={release} />
      ))}
    </section>
  );
}

function Toast({ release }: { release: HeldBack }) {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const navigate = useNavigate();
  const { send, failure } = useSend(release);
  const left = useSecondsLeft(release.state === 'counting' && failure === null, hovered || focused, send);
  const undo = () => {
    takeBack(release.id);
    void navigate({ to: pathTo(deskPages.job, { id: release.jobId }) });
  };
  const waits = release.state !== 'sending';
  const asks = release.state === 'asking' || failure !== null;
  useShortcut('z', 'Take back what goes out', waits ? undo : null);
  return (
    <div
      className="toast"
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <IconCircleCheck size={17} stroke={1.7} aria-hidden className="good" />
      <span>
        <strong>{release.title}</strong>{' '}
        {release.state === 'asking' && failure === null
          ? 'was kept back when the page was loaded again.'
          : `goes ${wordsOf(release).way} ${release.to}`}
        {failure && (
          <Box component="span" display="block" className="bad small">
            Not sent. {failure}
          </Box>
        )}
      </span>
      <span className="row toast-buttons">
        {asks && (
          <Button size="xs" h={28} onClick={send}>
            {failure ? 'Try again' : wordsOf(release).send}
          </Button>
        )}
        {waits && (
          <Button size="xs" h={28} variant="default" onClick={undo} rightSection={<KeyHint>z</KeyHint>}>
            Undo
          </Button>
        )}
        {waits && !asks && (
          <Box component="span" miw={22} className="second small numbers" aria-hidden>
            {Math.ceil(left)} s
          </Box>
        )}
      </span>
      {waits && !asks && (
        <Box pos="absolute" left={0} bottom={0} h={2} w={`${(left / holdSeconds) * 100}%`} bg="var(--accent)" />
      )}
    </div>
  );
}

function wordsOf({ move, delivers, title, to }: HeldBack) {
  if (move.operation === 'returnJob')
    return { way: 'back to', send: 'Return it', sent: `“${title}” was returned to ${to}.` };
  if (delivers) return { way: 'to', send: 'Deliver it', sent: `Delivered to ${to}.` };
  return { way: 'to', send: 'Submit it', sent: 'Submitted for review.' };
}

const tick = 100;

/** Runs once at the end. */
function useSecondsLeft(counts: boolean, stopped: boolean, atEnd: () => void): number {
  const [left, setLeft] = useState(holdSeconds);
  const latest = useRef(atEnd);
  latest.current = atEnd;
  useEffect(() => {
    if (!counts || stopped) return;
    // By the clock: timers of a tab in the background are slow.
    let before = performance.now();
    const timer = setInterval(() => {
      const passed = (performance.now() - before) / 1_000;
      before = performance.now();
      setLeft((seconds) => Math.max(0, seconds - passed));
    }, tick);
    return () => clearInterval(timer);
  }, [counts, stopped]);
  const over = counts && left === 0;
  useEffect(() => {
    if (over) latest.current();
  }, [over]);
  return left;
}

function useSend(release: HeldBack) {
  const { id, jobId, by, move } = release;
  const drafts = useStoredDrafts();
  const back = useOperation('returnJob');
  const submit = useOperation('submitJob');
  const pass = useOperation('passJob');
  const [failure, setFailure] = useState<string | null>(null);
  const done = {
    onSuccess: () => {
      takeBack(id);
      forgetLease(jobId);
      forgetUnsaved(by, jobId);
      drafts.forget([`return-${jobId}`]);
      notify(wordsOf(release).sent);
    },
    onError: (error: Error) => {
      setHeld(id, 'asking');
      setFailure(failureSentence(error));
    },
  };
  const send = () => {
    setFailure(null);
    setHeld(id, 'sending');
    const path = { id: jobId };
    if (move.operation === 'passJob') pass.mutate({ path, idempotencyKey: id }, done);
    else if (move.operation === 'returnJob') back.mutate({ path, body: move.body, idempotencyKey: id }, done);
    else submit.mutate({ path, body: move.body, idempotencyKey: id }, done);
  };
  return { send, failure };
}
