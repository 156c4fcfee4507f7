import { Box, Button, Flex, type FlexProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { isPicture } from '../../../contract/files/file-types.ts';
import { IconDownload, IconFileUnknown, IconFileZip, IconPhoto } from '../look/icons.ts';
import { whyNotShown } from '../preview/file-words.ts';
import { sayBytes } from '../upload/bytes.ts';
import { type StageProps, stageKindOf } from './view-file.ts';

/** A stage that nothing can be pointed at on. */
export const StageWords = (props: Omit<FlexProps, 'className'> & { children: ReactNode; 'data-testid'?: string }) => (
  <Flex
    className="stage second"
    direction="column"
    align="center"
    justify="center"
    gap={12}
    p={24}
    ta="center"
    {...props}
  />
);

/** A file that no page can show: its poster if it has one, what opens it, and the way to the file itself. */
export function OtherStage({ file, words, children }: Pick<StageProps, 'file'> & Partial<Words>) {
  const isGone = stageKindOf(file) === 'gone';
  const Other = isPicture(file.content_type) ? IconPhoto : IconFileUnknown;
  const Icon = file.content_type === 'application/zip' ? IconFileZip : Other;
  return (
    <StageWords>
      {file.poster && !isGone ? (
        <Box component="img" src={file.poster} alt={file.file_name} maw="80%" mah="60%" bdrs={4} />
      ) : (
        <Icon size={40} stroke={1.2} aria-hidden />
      )}
      <p>{words ?? whyNotShown(file)}</p>
      {children}
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
    </StageWords>
  );
}

export const Again = ({ onClick }: { onClick: () => void }) => (
  <Button variant="default" size="xs" onClick={onClick}>
    Try again
  </Button>
);

type Words = { words: string; children: ReactNode };
