import { useEffect, useRef, useState } from 'react';
import { sayFailure } from '../../ui/page/failure.tsx';
import { notify } from '../../ui/page/notify.ts';
import { useWarningOnLeave } from '../../ui/page/use-warning-on-leave.ts';
import type { Exported } from './export-list.ts';

const sayRows = (count: number) => (count === 1 ? '1 row' : `${count.toLocaleString()} rows`);

/** `progress` is what was read so far while an export runs, otherwise null. Leaving the page ends it. */
export function useExport(exported: Exported) {
  const [rows, setRows] = useState<number | null>(null);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  useWarningOnLeave(rows !== null);
  const run = async () => {
    const { signal } = (running.current = new AbortController());
    let count = 0;
    setRows(0);
    try {
      const [{ exportList }, { saveFile }] = await Promise.all([import('./export-list.ts'), import('./save-file.ts')]);
      const file = await exportList(exported, signal, (read) => setRows((count = read)));
      saveFile(`${exported.list}-${new Date().toISOString().slice(0, 10)}.csv`, file);
      notify(`${sayRows(count)} saved.`);
    } catch (error) {
      if (!signal.aborted) notify(`${sayFailure(error as Error).title} Nothing was saved.`);
    }
    setRows(null);
  };
  return {
    progress: rows === null ? null : `${sayRows(rows)}…`,
    start: () => void run(),
    stop: () => running.current?.abort(),
  };
}
