import { ActionIcon, Box, Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconAlertTriangle, IconX } from '../../ui/look/icons.ts';
import { useEffect } from 'react';
import { deskPages } from '../../../contract/pages.ts';
import { pathTo } from '../../ui/page/address.ts';
import { notify } from '../../ui/page/notify.ts';
import { useWarningOnLeave } from '../../ui/page/use-warning-on-leave.ts';
import { sayJobs } from './bulk-moves.ts';
import { type BulkItem, type BulkRun, forgetBulkRun } from './bulk-run.ts';

/** How far it is, and then what failed and why, job by job. */
export function BulkOutcome({ run, onTryAgain }: { run: BulkRun; onTryAgain: () => void }) {
  const count = (state: BulkItem['state']) => run.items.filter((item) => item.state === state).length;
  const moved = `${sayJobs(count('done'))} ${run.done}`;
  const failed = run.items.filter(({ state }) => state === 'failed');
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
        <span className="bulk-count numbers" role="status">
          {run.items.length - count('waiting')} of {run.items.length}
        </span>
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
        {failed.map(({ id, customer_title: title, reason }) => (
          <Box component="li" key={id} py={3}>
            <Link to={pathTo(deskPages.job, { id })}>{title}</Link>
            <span className="cell-second">{reason}</span>
          </Box>
        ))}
      </Box>
      <Button size="xs" variant="default" onClick={onTryAgain} style={{ alignSelf: 'flex-start' }}>
        {failed.length === 1 ? 'Try again' : `Try all ${failed.length} again`}
      </Button>
    </section>
  );
}
