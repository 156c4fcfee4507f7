import { Button, Flex, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../dialog/dialog.tsx';
import { IconDownload } from '../look/icons.ts';
import { part } from '../page/part.tsx';
import { sayBytes } from '../upload/bytes.ts';
import type { Previewed } from './previewed.ts';

const Stage = part(() => import('../review/stage.tsx'), 'Stage', <Skeleton height="70vh" />);
const noComments = { comments: [], selected: null, onSelect: () => {}, writing: null, onPlace: null };

/** The stage of the review without its comments, so that a file looks the same and says the same. */
export function LargePreview({ file, url, ...dialog }: Previewed & { opened: boolean; onClose: () => void }) {
  const [detail, setDetail] = useState('');
  return (
    <Dialog {...dialog} title={file.file_name} size="80rem">
      <div className="stack">
        <Flex direction="column" h="70vh" bd="1px solid var(--line)" bdrs={7} style={{ overflow: 'hidden' }}>
          <Stage file={{ ...file, url, id: url, poster: file.poster ?? null }} {...noComments} onDetail={setDetail} />
        </Flex>
        <div className="row between">
          <span className="second small">{[detail, sayBytes(file.size_bytes)].filter(Boolean).join(' · ')}</span>
          <Button component="a" href={url} download={file.file_name} leftSection={<IconDownload size={16} />}>
            Download
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
