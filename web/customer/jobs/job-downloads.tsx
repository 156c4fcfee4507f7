import { Button } from '@mantine/core';
import { IconDownload } from '../../ui/look/icons.ts';
import type { File } from '../../app/api.ts';
import { sayBytes } from '../../ui/upload/bytes.ts';
import { downloadUrl } from './job-story.ts';

/** In sequence, so that the browser asks only once for permission to save several files. */
export function DownloadAll({ files, label }: { files: File[]; label: string }) {
  const there = files.filter(({ status }) => status === 'uploaded');
  if (there.length < 2) return null;
  const save = () => {
    for (const [index, { id, file_name: name }] of there.entries())
      setTimeout(() => {
        const link = Object.assign(document.createElement('a'), { href: downloadUrl(id), download: name });
        link.click();
      }, index * 400);
  };
  return (
    <Button variant="subtle" h={26} px={8} size="xs" leftSection={<IconDownload size={15} />} onClick={save}>
      {label}, {sayBytes(there.reduce((sum, { size_bytes: bytes }) => sum + bytes, 0))}
    </Button>
  );
}
