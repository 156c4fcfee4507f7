import { Box, Button, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import type { File, Job } from '../../app/api.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { readBrief } from '../../../contract/jobs/instructions.ts';
import { IconDownload } from '../../ui/look/icons.ts';
import { Answers } from '../../ui/job/answers.tsx';
import { counted } from '../../ui/job/words.ts';
import { dialogPart } from '../../ui/page/part.tsx';
import { FileFace } from '../../ui/thread/story-files.tsx';
import { sayBytes } from '../../ui/upload/bytes.ts';
import { archiveUrl, downloadUrl } from './job-story.ts';

const LargePreview = dialogPart(() => import('../../ui/preview/large-preview.tsx'), 'LargePreview');

/** The customer's own files, without those of messages. */
export const ownFiles = (job: Job, inMessages: Set<string>): File[] =>
  job.files.filter(({ id, uploaded_by }) => uploaded_by === 'customer' && !inMessages.has(id)).toReversed();

function useAnswers(job: Job) {
  return readBrief(useServiceNames().requirements(job.service_family), job);
}

/** "5 answers, 3 files" */
export function BriefSummary({ job, files }: { job: Job; files: File[] }) {
  const count = Object.keys(useAnswers(job).answers).length;
  const words = [count > 0 && counted(count, 'answer'), files.length > 0 && counted(files.length, 'file')];
  return words.filter(Boolean).join(', ');
}

export function Brief({ job, files }: { job: Job; files: File[] }) {
  const { answers, words, open } = useAnswers(job);
  const isAnswered = Object.keys(answers).length + open.length > 0;
  return (
    <section className="panel" aria-label="Brief">
      <div className="panel-head">
        <h2>Brief</h2>
        {files.length > 0 && <span className="second">and your files</span>}
        <span className="push">
          <ZipLink files={job.files} href={archiveUrl(job.id)} label="Whole job" />
        </span>
      </div>
      <div className="panel-body">
        <Answers answers={Object.entries(answers)} open={open} />
        {words && (
          <Box component="p" className="prose" mt={isAnswered ? 14 : 0} dir="auto">
            {words}
          </Box>
        )}
      </div>
      {files.length > 0 && (
        <Box component="ul" className="tiles line-above own-files" px={16} py={14} aria-label="Your files">
          {files.map((file) => (
            <OwnFile key={file.id} file={file} />
          ))}
        </Box>
      )}
    </section>
  );
}

function OwnFile({ file }: { file: File }) {
  const [open, setOpen] = useState(false);
  const url = downloadUrl(file.id);
  const there = file.status === 'uploaded';
  return (
    <li>
      <UnstyledButton
        className="icon-line"
        display="flex"
        w="100%"
        fz={13}
        style={{ gap: 10, cursor: there ? 'zoom-in' : 'default' }}
        disabled={!there}
        onClick={() => setOpen(true)}
      >
        <FileFace file={file} url={url} />
        <Box component="span" className="stack" miw={0} style={{ gap: 0 }}>
          <bdi className="one-line">{file.file_name}</bdi>
          <span className="small third">{there ? sayBytes(file.size_bytes) : 'no longer kept'}</span>
        </Box>
      </UnstyledButton>
      <LargePreview file={file} url={url} opened={open} onClose={() => setOpen(false)} />
    </li>
  );
}

type ZipProps = { files: File[]; href: string; label: string };

/** Saves these files as one zip. */
export function ZipLink({ files, href, label }: ZipProps) {
  const there = files.filter(({ status }) => status === 'uploaded');
  if (there.length < 2) return null;
  const size = sayBytes(there.reduce((sum, { size_bytes: bytes }) => sum + bytes, 0));
  return (
    <Button
      component="a"
      href={href}
      download
      variant="subtle"
      h={26}
      px={8}
      size="xs"
      leftSection={<IconDownload size={15} />}
    >
      {label}, .zip · {size}
    </Button>
  );
}
