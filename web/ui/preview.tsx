import { Button, Modal, Skeleton } from '@mantine/core';
import { IconDownload, IconFile, IconFileTypePdf, IconFileZip, IconMusic, IconVideo } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { File as StoredFile } from '../api.ts';
import { sayBytes } from './bytes.ts';
import { Failure } from './failure.tsx';

/** Bytes up to which a file is shown in the page; what is larger is downloaded. */
const shown = { image: 10_000_000, pdf: 25_000_000, text: 65_536 };

type Props = { file: StoredFile; url: string };

const kindOf = ({ content_type: type }: StoredFile) =>
  type === 'application/pdf' ? 'pdf' : type === 'application/json' ? 'text' : (type.split('/')[0] ?? '');

/** A file as a card: an image shows itself, anything else its kind; it opens large, and can be downloaded. */
export function FileCard({ file, url }: Props) {
  const [open, setOpen] = useState(false);
  const there = file.status === 'uploaded';
  return (
    <figure className="file-card">
      <button
        type="button"
        className="file-face"
        onClick={() => setOpen(true)}
        disabled={!there}
        aria-label={`Open ${file.file_name}`}
      >
        <Face file={file} url={url} />
      </button>
      <figcaption>
        <span className="file-name">{file.file_name}</span>
        {there ? (
          <a href={url} download={file.file_name} className="third" aria-label={`Download ${file.file_name}`}>
            {sayBytes(file.size_bytes)} <IconDownload size={14} aria-hidden />
          </a>
        ) : (
          <span className="third">{file.status === 'deleted' ? 'no longer kept' : 'not uploaded'}</span>
        )}
      </figcaption>
      <Modal opened={open} onClose={() => setOpen(false)} title={file.file_name} size="80rem">
        <Large file={file} url={url} />
      </Modal>
    </figure>
  );
}

function Face({ file, url }: Props) {
  const kind = kindOf(file);
  if (kind === 'image' && file.size_bytes <= shown.image && file.status === 'uploaded')
    return <img src={url} alt="" loading="lazy" />;
  const Mark = { pdf: IconFileTypePdf, audio: IconMusic, video: IconVideo, application: IconFileZip }[kind] ?? IconFile;
  return <Mark size={32} stroke={1.2} aria-hidden />;
}

function Large({ file, url }: Props) {
  const kind = kindOf(file);
  const small = file.size_bytes <= (kind === 'pdf' ? shown.pdf : shown.image);
  return (
    <div className="stack">
      {kind === 'image' && small && <img src={url} alt={file.file_name} className="large-preview" />}
      {kind === 'audio' && <audio src={url} controls preload="metadata" aria-label={file.file_name} />}
      {kind === 'video' && (
        <video src={url} controls preload="metadata" className="large-preview" aria-label={file.file_name} />
      )}
      {kind === 'pdf' && small && <Pdf url={url} name={file.file_name} />}
      {kind === 'text' && <TextPreview url={url} whole={file.size_bytes <= shown.text} />}
      <div className="row between">
        <span className="second small">{sayBytes(file.size_bytes)}</span>
        <Button component="a" href={url} download={file.file_name} leftSection={<IconDownload size={16} />}>
          Download
        </Button>
      </div>
    </div>
  );
}

/** As a Blob: the attachment itself would be downloaded instead of shown. */
function Pdf({ url, name }: { url: string; name: string }) {
  const bytes = useQuery({
    queryKey: ['bytes', url],
    queryFn: async () => (await fetchBytes(url)).blob(),
    staleTime: Infinity,
  });
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!bytes.data) return;
    const made = URL.createObjectURL(new Blob([bytes.data], { type: 'application/pdf' }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes.data]);
  if (bytes.error) return <Failure error={bytes.error} retry={() => void bytes.refetch()} />;
  return address ? <iframe src={address} title={name} className="pdf-preview" /> : <Skeleton height={480} />;
}

function TextPreview({ url, whole }: { url: string; whole: boolean }) {
  const text = useQuery({
    queryKey: ['text', url],
    queryFn: async () => (await fetchBytes(url, { range: `bytes=0-${shown.text - 1}` })).text(),
    staleTime: Infinity,
  });
  if (text.error) return <Failure error={text.error} retry={() => void text.refetch()} />;
  if (text.data === undefined) return <Skeleton height={240} />;
  return (
    <>
      <div className="code text-preview">
        <pre tabIndex={0}>{text.data}</pre>
      </div>
      {!whole && <span className="second small">The beginning; download the file for all of it.</span>}
    </>
  );
}

async function fetchBytes(url: string, headers: Record<string, string> = {}): Promise<Response> {
  const answer = await fetch(url, { headers });
  if (!answer.ok) throw new Error(`The file answered ${answer.status}.`);
  return answer;
}
