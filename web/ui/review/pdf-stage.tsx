import { Skeleton } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { throwUnreachable } from '../../../client/error.ts';
import { useBack } from '../page/line.ts';
import { Failure } from '../page/page.tsx';
import { OtherStage, StageWords } from './other-stage.tsx';
import { Pages, type Pdf } from './pdf-pages.tsx';
import type { StageProps } from './view-file.ts';
import { counted } from '../job/words.ts';

/** What the library says of a file, as words for people. */
const faults: Record<string, string> = {
  PasswordException: 'This PDF needs a password. Download it and open it with the password.',
  InvalidPDFException: 'This PDF is damaged and cannot be shown. Download it to try another program.',
};

export function PdfStage(props: StageProps) {
  const { file, onDetail } = props;
  const [opened, setOpened] = useState<Pdf | null>(null);
  const [fault, setFault] = useState<string | Error | null>(null);
  const [tries, setTries] = useState(0);
  const again = () => (setFault(null), setTries((now) => now + 1));
  const tell = useEffectEvent((words: string) => onDetail?.(words));
  const { url, size_bytes: bytes } = file;
  useEffect(() => {
    if (!url) return;
    let isOver = false;
    const task = openPages(url, bytes, (pages) => {
      if (isOver) return;
      setOpened(pages);
      tell(counted(pages.pdf.numPages, 'page'));
    });
    task
      .catch((error: Error) => sayFault(error, url).catch((lost: Error) => lost))
      .then(
        (said) => !isOver && typeof said !== 'function' && setFault(said),
        () => {},
      );
    return () => {
      isOver = true;
      task.then((close) => close()).catch(() => {});
    };
  }, [url, bytes, tries]);
  const isLost = fault instanceof Error;
  useBack(isLost, again);
  if (typeof fault === 'string') return <OtherStage file={file} words={fault} />;
  if (isLost)
    return (
      <StageWords>
        <Failure error={fault} retry={again} />
      </StageWords>
    );
  if (!opened)
    return (
      <StageWords role="status" aria-label="Loading">
        <Skeleton height={480} width={340} />
      </StageWords>
    );
  return <Pages {...props} {...opened} onAgain={again} />;
}

/** Throws if the file is not to blame. */
async function sayFault(fault: Error, url: string): Promise<string> {
  const words = faults[fault.name];
  if (words) return words;
  const answer = await fetch(url, { headers: { range: 'bytes=0-0' } }).catch(() => null);
  if (!answer || answer.status >= 500) throwUnreachable(fault);
  if (!answer.ok) return 'The file could not be loaded.';
  if (fault.name !== 'UnknownErrorException') throw fault;
  return 'This PDF cannot be shown. Download it to try another program.';
}

/** The library is fetched when a PDF is opened, not before. */
async function openPages(url: string, bytes: number, onOpen: (pages: Pdf) => void): Promise<() => void> {
  const { openPdf, hiddenIn } = await import('./pdf.ts');
  const task = openPdf(url, bytes);
  try {
    const pdf = await task.promise;
    const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
    const pages = { pdf, first: { width, height }, notes: [] };
    onOpen(pages);
    hiddenIn(pdf).then(
      (notes) => notes.length > 0 && onOpen({ ...pages, notes }),
      () => {},
    );
  } catch (error) {
    void task.destroy();
    throw error;
  }
  return () => void task.destroy();
}
