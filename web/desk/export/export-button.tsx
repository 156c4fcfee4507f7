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
  const { rows, start, stop } = useExport(exported);
  if (!may(exportedLists[exported.list])) return null;
  if (rows !== null)
    return (
      <span className="row" style={{ gap: 8 }}>
        <span role="status" className="second numbers nowrap">
          {counted(rows, 'row')} so far; ends with this page
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

/** `rows` is the number of rows read so far, or null if no export runs. Leaving the page ends it. */
function useExport(exported: Exported) {
  const [rows, setRows] = useState<number | null>(null);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  useWarningOnLeave(rows !== null);
  const run = async () => {
    const { signal } = (running.current = new AbortController());
    let count = 0;
    setRows(0);
    try {
      const { exportList, saveFile } = await import('./export-list.ts');
      const file = await exportList(exported, signal, (read) => setRows((count = read)));
      saveFile(`${exported.list}-${new Date().toISOString().slice(0, 10)}.csv`, file);
      notify(`${counted(count, 'row')} saved.`);
    } catch (error) {
      if (!signal.aborted) notify(`${sayFailure(error as Error).title} Nothing was saved.`);
    }
    setRows(null);
  };
  return { rows, start: () => void run(), stop: () => running.current?.abort() };
}
