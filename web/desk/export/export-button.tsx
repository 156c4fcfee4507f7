import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { exportedLists } from '../../../contract/desk/exported-lists.ts';
import { counted } from '../../ui/job/words.ts';
import { IconDownload } from '../../ui/look/icons.ts';
import { notify, sayFailure } from '../../ui/page/page.tsx';
import { useWarningOnLeave } from '../../ui/page/use-warning-on-leave.ts';
import { useMay } from '../may.ts';
import type { Exported } from './export-list.ts';

/** Saves all rows of the list with its filters, not only those shown. Only for roles that may export it. */
export function ExportButton({ quiet = false, ...exported }: Exported & { quiet?: boolean }) {
  const may = useMay();
  const { read, start, stop } = useExport(exported);
  if (!may(exportedLists[exported.list])) return null;
  if (read !== null)
    return (
      <span className="row" style={{ gap: 8 }}>
        <span role="status" className="second numbers nowrap">
          {sayRead(read)}; ends with this page
        </span>
        <Button variant="default" size="xs" h={28} onClick={stop}>
          Stop
        </Button>
      </span>
    );
  return quiet ? (
    <button type="button" className="chip choice" onClick={start}>
      Save as CSV
    </button>
  ) : (
    <Button variant="default" leftSection={<IconDownload size={16} />} onClick={start}>
      Save as CSV
    </Button>
  );
}

type Read = { rows: number; total: number | null };

/** Jobs that come meanwhile are rows, too. */
const sayRead = ({ rows, total }: Read) =>
  total !== null && rows <= total
    ? `${rows.toLocaleString()} of ${counted(total, 'row')}`
    : `${counted(rows, 'row')} so far`;

/** `read` is how far it is, or null if no export runs. Leaving the page ends it. */
function useExport(exported: Exported) {
  const [read, setRead] = useState<Read | null>(null);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  useWarningOnLeave(read !== null);
  const run = async () => {
    const { signal } = (running.current = new AbortController());
    let count = 0;
    setRead({ rows: 0, total: null });
    try {
      const { exportList, saveFile } = await import('./export-list.ts');
      const file = await exportList(exported, signal, (rows, total) => setRead({ rows: (count = rows), total }));
      saveFile(`${exported.list}-${new Date().toISOString().slice(0, 10)}.csv`, file);
      notify(`${counted(count, 'row')} saved.`);
    } catch (error) {
      if (!signal.aborted) notify(`${sayFailure(error as Error).title} Nothing was saved.`);
    }
    setRead(null);
  };
  return { read, start: () => void run(), stop: () => running.current?.abort() };
}
