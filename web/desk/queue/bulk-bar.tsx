import { ActionIcon, Box, Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { deskPages } from '../../../contract/pages.ts';
import { useSession } from '../../app/session/session.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { IconAlertTriangle, IconX } from '../../ui/look/icons.ts';
import { pathTo } from '../../ui/page/address.ts';
import { notify } from '../../ui/page/page.tsx';
import { dialogPart } from '../../ui/page/part.tsx';
import { useWarningOnLeave } from '../../ui/page/use-warning-on-leave.ts';
import { useShortcut } from '../../ui/shell/shortcuts.tsx';
import { useMay } from '../may.ts';
import { type BulkJob, type BulkMove, bulkMoves, counted, jobsFor, sayJobs } from './bulk-moves.ts';
import { type BulkItem, type BulkRequest, type BulkRun, forgetBulkRun, useBulk, useBulkRun } from './bulk-run.ts';

const HandOverAll = dialogPart(() => import('./bulk-dialogs.tsx'), 'HandOverAll');
const MoveAllDueDates = dialogPart(() => import('./bulk-dialogs.tsx'), 'MoveAllDueDates');
const PutAllBack = dialogPart(() => import('./bulk-dialogs.tsx'), 'PutAllBack');
const RejectAll = dialogPart(() => import('./bulk-dialogs.tsx'), 'RejectAll');

type Props = {
  /** The selected jobs, in the order of the list. */
  jobs: BulkJob[];
  onClear: () => void;
  onMoved: (ids: string[]) => void;
};

/** What can be done with the selected jobs, and then how it went. */
export function BulkBar({ jobs, onClear, onMoved }: Props) {
  const { user } = useSession();
  const may = useMay();
  const run = useBulkRun();
  const { start, tryAgain } = useBulk(user.id, onMoved);
  const [dialog, setDialog] = useState<BulkMove | null>(null);
  const able = Object.fromEntries(bulkMoves.map((move) => [move, jobsFor(move, jobs, user.id, may)])) as Able;
  const ended = run !== null && !run.running;
  useForgetting(ended, jobs);
  useShortcut('Escape', 'Clear the selection', !ended && jobs.length > 0 ? onClear : null, 'Clear');
  useShortcut('Escape', 'Close how it went', ended ? forgetBulkRun : null, 'Close');
  if (run) return <BulkOutcome run={run} onTryAgain={() => tryAgain(run)} />;
  const choose = (move: BulkMove) => (move === 'accept' ? start({ move }, 'accepted', able.accept) : setDialog(move));
  const dialogOf = (move: BulkMove) => ({
    jobs: able[move],
    opened: dialog === move,
    onClose: () => setDialog(null),
    onStart: (request: BulkRequest, done: string) => {
      setDialog(null);
      start(request, done, able[move]);
    },
  });
  return (
    <>
      {jobs.length > 0 && <Moves able={able} all={jobs.length} onChoose={choose} onClear={onClear} />}
      <HandOverAll {...dialogOf('hold')} />
      <MoveAllDueDates {...dialogOf('reschedule')} />
      <PutAllBack {...dialogOf('release')} />
      <RejectAll {...dialogOf('reject')} />
    </>
  );
}

/** Whoever selects another row is done with what failed. */
function useForgetting(ended: boolean, jobs: BulkJob[]): void {
  const before = useRef(jobs);
  useEffect(() => {
    const isNew = ({ id }: BulkJob) => before.current.every((job) => job.id !== id);
    if (ended && jobs.some(isNew)) forgetBulkRun();
    before.current = jobs;
  }, [ended, jobs]);
}

type Able = Record<BulkMove, BulkJob[]>;

const words: Record<BulkMove, { label: string; keys: string }> = {
  accept: { label: 'Accept', keys: 'a' },
  hold: { label: 'Hand over', keys: 'h' },
  reschedule: { label: 'Move the due date', keys: 'l' },
  release: { label: 'Put back', keys: 'b' },
  reject: { label: 'Reject', keys: 'R' },
};

type MovesProps = { able: Able; all: number; onChoose: (move: BulkMove) => void; onClear: () => void };

const Count = ({ children }: { children: ReactNode }) => (
  <Box
    component="span"
    className="numbers"
    role="status"
    mr={4}
    pr={12}
    fw={600}
    style={{ borderRight: '1px solid var(--line)' }}
  >
    {children}
  </Box>
);

/** Only moves that a selected job allows. */
const Moves = ({ able, all, onChoose, onClear }: MovesProps) => (
  <section className="bulk-bar phone-bar" aria-label="Selected jobs">
    <Count>{all} selected</Count>
    {bulkMoves
      .filter((move) => able[move].length > 0)
      .map((move) => (
        <ActionButton
          key={move}
          keys={words[move].keys}
          variant="subtle"
          color={move === 'reject' ? 'bad' : 'gray'}
          size="compact-sm"
          px={10}
          onClick={() => onChoose(move)}
        >
          {counted(words[move].label, able[move].length, all)}
        </ActionButton>
      ))}
    <ActionIcon onClick={onClear} aria-label="Clear the selection">
      <IconX size={16} />
    </ActionIcon>
  </section>
);

/** How far it is, and then what failed and why, job by job. */
function BulkOutcome({ run, onTryAgain }: { run: BulkRun; onTryAgain: () => void }) {
  const count = (state: BulkItem['state']) => run.items.filter((item) => item.state === state).length;
  const moved = `${sayJobs(count('done'))} ${run.done}`;
  const failed = run.items.filter(({ state }) => state === 'failed');
  const again = failed.filter(({ failure }) => failure?.canPass).length;
  const allMoved = !run.running && failed.length === 0;
  useWarningOnLeave(run.running);
  useEffect(() => {
    if (!allMoved) return;
    forgetBulkRun();
    notify(`${moved}.`);
  }, [allMoved, moved]);
  if (allMoved) return null;
  if (run.running)
    return (
      <section className="bulk-bar phone-bar" aria-label="Selected jobs">
        <Count>
          {run.items.length - count('waiting')} of {run.items.length}
        </Count>
        <span className="bar" style={{ width: 160 }} aria-hidden>
          <span style={{ width: `${(1 - count('waiting') / run.items.length) * 100}%` }} />
        </span>
      </section>
    );
  return (
    <section className="bulk-bar bulk-failed phone-bar" aria-label="Selected jobs">
      <Group justify="space-between" gap={8} wrap="nowrap" role="alert">
        <span className="icon-line" style={{ flexWrap: 'wrap' }}>
          <IconAlertTriangle size={16} aria-hidden className="bad" />
          <strong>
            {sayJobs(failed.length)} not {run.done}
          </strong>
          {count('done') > 0 && <span className="second">{moved}</span>}
        </span>
        <ActionIcon onClick={forgetBulkRun} aria-label="Close">
          <IconX size={16} />
        </ActionIcon>
      </Group>
      <Box component="ul" className="breaks" mah={190} style={{ overflowY: 'auto' }}>
        {failed.map(({ id, customer_title: title, failure }) => (
          <Box component="li" key={id} py={3}>
            <Link to={pathTo(deskPages.job, { id })}>{title}</Link>
            <span className="cell-second">{failure?.reason}</span>
          </Box>
        ))}
      </Box>
      {again > 0 && (
        <Button size="xs" variant="default" onClick={onTryAgain} style={{ alignSelf: 'flex-start' }}>
          {again === 1 ? 'Try again' : `Try ${again < failed.length ? '' : 'all '}${again} again`}
        </Button>
      )}
    </section>
  );
}
