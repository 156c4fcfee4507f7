import { Button } from '@mantine/core';
import { IconDownload, IconFileUnknown, IconFileZip } from '../look/icons.ts';
import { sayBytes } from '../upload/bytes.ts';
import { type StageProps, stageKindOf } from './view-file.ts';

type Props = Pick<StageProps, 'file'> & { words?: string };

/** A file that no page can show: its poster if it has one, and the way to the file itself. */
export function OtherStage({ file, words }: Props) {
  const isGone = stageKindOf(file) === 'gone';
  const Icon = file.content_type === 'application/zip' ? IconFileZip : IconFileUnknown;
  const why = words ?? (isGone ? 'This file is no longer kept.' : 'This kind of file cannot be shown here.');
  return (
    <div className="stage stage-words">
      {file.poster && !isGone ? (
        <img src={file.poster} alt={file.file_name} className="stage-poster" />
      ) : (
        <Icon size={40} stroke={1.2} aria-hidden />
      )}
      <p>{why}</p>
      {file.url && !isGone && (
        <Button
          component="a"
          href={file.url}
          download={file.file_name}
          variant="default"
          leftSection={<IconDownload size={16} />}
        >
          {`Download, ${sayBytes(file.size_bytes)}`}
        </Button>
      )}
    </div>
  );
}
