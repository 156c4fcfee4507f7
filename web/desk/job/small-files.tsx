import type { ComponentProps } from 'react';
import { FileCard } from '../../ui/preview/preview.tsx';
import { deskFileUrl } from './send-deliverable.ts';

type Props = { files: (ComponentProps<typeof FileCard>['file'] & { id: string })[]; className?: string };

/** Nothing without a file. */
export const SmallFiles = ({ files, className = 'small-files' }: Props) =>
  files.length > 0 && (
    <div className={className}>
      {files.map((file) => (
        <FileCard key={file.id} file={file} url={deskFileUrl(file.id)} />
      ))}
    </div>
  );
