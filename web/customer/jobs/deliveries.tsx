import { ActionIcon, Button, Collapse } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { Delivery, File, Job } from '../../app/api.ts';
import { sayBytes } from '../../ui/upload/bytes.ts';
import { FileCard } from '../../ui/preview/preview.tsx';
import { Time } from '../../ui/time/time.tsx';

export const downloadUrl = (fileId: string) => `/api/v1/files/${fileId}/download`;

export function Deliveries({ job }: { job: Job }) {
  const newestFirst = job.deliveries.toReversed();
  return newestFirst.map((delivery, index) => (
    <DeliveryPanel
      key={delivery.round}
      delivery={delivery}
      files={pictureFirst(job.files.filter(({ id }) => delivery.file_ids.includes(id)))}
      newest={index === 0}
    />
  ));
}

/** Pictures first, then in order of upload. */
const pictureFirst = (files: File[]) => {
  const rank = ({ content_type: type }: File) => (type.startsWith('image/') ? 0 : 1);
  return files.toSorted((first, other) => rank(first) - rank(other) || first.id.localeCompare(other.id));
};

function DeliveryPanel({ delivery, files, newest }: { delivery: Delivery; files: File[]; newest: boolean }) {
  const [open, setOpen] = useState(newest);
  const { round, message, released_at } = delivery;
  return (
    <section className="panel" aria-label={`Delivery ${round + 1}`}>
      <div className={open ? 'panel-head' : 'panel-head closed'}>
        <h2>Delivery {round + 1}</h2>
        <span className="second">
          {round > 0 && 'after your changes · '}
          <Time at={released_at} />
        </span>
        <span className="push row" style={{ gap: 4 }}>
          {open && <DownloadAll files={files} />}
          {!newest && (
            <ActionIcon onClick={() => setOpen(!open)} aria-expanded={open} aria-label={`Delivery ${round + 1}`}>
              {open ? <IconChevronUp size={16} /> : <IconChevronDown size={16} />}
            </ActionIcon>
          )}
        </span>
      </div>
      <Collapse expanded={open}>
        <div className="panel-body stack">
          {message && <p className="prose">{message}</p>}
          {files.length > 0 && (
            <div className="file-grid">
              {files.map((file) => (
                <FileCard key={file.id} file={file} url={downloadUrl(file.id)} />
              ))}
            </div>
          )}
        </div>
      </Collapse>
    </section>
  );
}

/** In sequence, so that the browser asks only once for permission to save several files. */
function DownloadAll({ files }: { files: File[] }) {
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
      All, {sayBytes(there.reduce((sum, { size_bytes: bytes }) => sum + bytes, 0))}
    </Button>
  );
}
