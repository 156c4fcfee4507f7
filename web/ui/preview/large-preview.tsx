import { Box, Button, Skeleton } from '@mantine/core';
import { IconDownload } from '../look/icons.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Dialog } from '../dialog/dialog.tsx';
import { sayBytes } from '../upload/bytes.ts';
import { Failure } from '../page/page.tsx';
import { fetchFile, kindOf, type Previewed, shown, useText } from './previewed.ts';

export const LargePreview = ({ file, url, ...dialog }: Previewed & { opened: boolean; onClose: () => void }) => (
  <Dialog {...dialog} title={file.file_name} size="80rem">
    <Large file={file} url={url} />
  </Dialog>
);

const large = { display: 'block', maw: '100%', mah: '70vh', mx: 'auto' };

function Large({ file, url }: Previewed) {
  const kind = kindOf(file);
  const small = file.size_bytes <= (kind === 'pdf' ? shown.pdf : shown.image);
  return (
    <div className="stack">
      {kind === 'image' && small && <Box component="img" {...large} src={url} alt={file.file_name} />}
      {kind === 'audio' && <audio src={url} controls preload="metadata" aria-label={file.file_name} />}
      {kind === 'video' && (
        <Box component="video" {...large} src={url} controls preload="metadata" aria-label={file.file_name} />
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

/** A Blob, because an attachment would be downloaded. */
function Pdf({ url, name }: { url: string; name: string }) {
  const bytes = useQuery({
    queryKey: ['bytes', url],
    queryFn: async () => (await fetchFile(url)).blob(),
    staleTime: 'static',
  });
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!bytes.data) return;
    const made = URL.createObjectURL(new Blob([bytes.data], { type: 'application/pdf' }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes.data]);
  if (bytes.error) return <Failure error={bytes.error} retry={() => void bytes.refetch()} />;
  if (!address) return <Skeleton height={480} />;
  return <Box component="iframe" src={address} title={name} w="100%" h="70vh" bd="1px solid var(--line)" bdrs={7} />;
}

function TextPreview({ url, whole }: { url: string; whole: boolean }) {
  const text = useText(url, url);
  if (text.error) return <Failure error={text.error} retry={() => void text.refetch()} />;
  if (text.data === undefined) return <Skeleton height={240} />;
  return (
    <>
      <div className="code text-preview">
        <pre tabIndex={0}>{text.data}</pre>
      </div>
      {!whole && <span className="second small">Only the beginning is shown. Download the file to see all of it.</span>}
    </>
  );
}
