import { Box, Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ComponentProps, useState } from 'react';
import { usePages } from '../../app/use-pages.ts';
import { useMarks } from '../../ui/list/marks.ts';
import { useSteadyRows } from '../../ui/list/use-steady-rows.ts';
import { useAddress } from '../../ui/page/address.ts';
import { Failure } from '../../ui/page/failure.tsx';
import { ListFoot } from '../../ui/list/list.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { KeyLine } from './key-line.tsx';
import { NoRows } from './no-rows.tsx';
import { useReads } from '../../app/use-reads.ts';
import { Peek } from './peek.tsx';
import { QueueHead, QueueTabs } from './queue-head.tsx';
import { QueueList } from './queue-list.tsx';
import { useRememberedQueue } from './queue-place.ts';
import { queueReads } from './queue.reads.ts';
import type { Row } from './group-by-due.ts';
import { type QueueFilter, tabOf } from './tabs.ts';

export function Queue() {
  const [{ tab: tabId, job, peek }, setAddress] = useAddress<QueueFilter>();
  const tab = tabOf(tabId);
  const wide = useMediaQuery('(min-width: 1180px)', false, { getInitialValueInEffect: false });
  const [isPointing, setIsPointing] = useState(false);
  useRememberedQueue();
  const read = useReads(queueReads).jobs;
  const queue = usePages(read);
  const fresh = queue.isPlaceholderData ? undefined : queue.data;
  const scope = JSON.stringify(read.input);
  const { rows, waiting, adopt } = useSteadyRows(fresh, scope, isPointing);
  const there = rows?.filter(({ gone }) => !gone).map(({ row }) => row) ?? [];
  const marks = useMarks(
    scope,
    there.map(({ id }) => id),
  );
  const selected = useSelected(rows, job);
  const failed = queue.error && !rows ? queue.error : null;
  const peeking = wide && peek !== 'off' && rows?.length !== 0 && failed === null;
  return (
    <div className={peeking ? 'peeking' : undefined}>
      <div className="queue-main">
        <QueueHead />
        <QueueTabs present={tab.id} />
        {failed ? (
          <Box mt={16}>
            <Failure error={failed} retry={() => void queue.refetch()} />
          </Box>
        ) : rows?.length === 0 ? (
          <NoRows tab={tab} />
        ) : (
          // The button lies over the rows, so whoever points at it points at them.
          <div {...whilePointing(setIsPointing)}>
            {waiting > 0 && isPointing && (
              <Button
                pos="absolute"
                right={0}
                mt={4}
                style={{ zIndex: 2 }}
                variant="default"
                size="xs"
                h={28}
                onClick={adopt}
              >
                {waiting} new
              </Button>
            )}
            <QueueList
              tab={tab}
              rows={rows}
              selection={{ selected, onSelect: (id) => setAddress({ job: id }), byClick: peeking }}
              marks={marks}
            />
          </div>
        )}
        {rows && queue.more && (
          <ListFoot shown={`${rows.length} shown`} more={queue.more} loading={queue.loadingMore} keys={false} />
        )}
        <BulkBar jobs={there.filter(({ id }) => marks.ids.includes(id))} onClear={marks.clear} onMoved={marks.unmark} />
        <KeyLine />
      </div>
      {peeking && (
        <Peek
          id={selected}
          acceptKey={marks.ids.length === 0}
          onClose={() => setAddress({ peek: 'off', job: undefined })}
        />
      )}
    </div>
  );
}

/** The row in the address, or else the first one, which stays selected when another comes before it. */
function useSelected(rows: Row[] | undefined, inAddress: string | undefined): string | undefined {
  const [last, setLast] = useState<string>();
  const there = (id: string | undefined) => !rows || rows.some(({ row }) => row.id === id);
  const selected = [inAddress, last].find((id) => id !== undefined && there(id)) ?? rows?.[0]?.row.id;
  if (rows && selected !== last) setLast(selected);
  return selected;
}

/** Of an element, while the pointer or the focus is in it. */
const whilePointing = (onChange: (isPointing: boolean) => void): ComponentProps<'div'> => ({
  onPointerEnter: () => onChange(true),
  onPointerLeave: () => onChange(false),
  onFocus: () => onChange(true),
  onBlur: ({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && onChange(false),
});
