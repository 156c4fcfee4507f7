import { Button } from '@mantine/core';
import { IconDownload } from '../../ui/look/icons.ts';
import { exportedLists } from '../../../contract/desk/exported-lists.ts';
import { useMay } from '../may.ts';
import type { Exported } from './export-list.ts';
import { useExport } from './use-export.ts';

/** Saves all rows of the list with its filters, not only those shown. Only for roles that may export it. */
export function ExportButton({ quiet = false, ...exported }: Exported & { quiet?: boolean }) {
  const may = useMay();
  const { progress, start, stop } = useExport(exported);
  if (!may(exportedLists[exported.list])) return null;
  if (progress !== null)
    return (
      <span className="row" style={{ gap: 8 }}>
        <span role="status" className="second numbers nowrap">
          {progress}
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
