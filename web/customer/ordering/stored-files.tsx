import { ActionIcon } from '@mantine/core';
import { IconCircleCheck, IconPaperclip, IconX } from '@tabler/icons-react';
import { sayBytes } from '../../ui/upload/bytes.ts';

type Stored = { id: string; file_name: string; size_bytes: number };

/** Files uploaded before the page was opened. */
export const StoredFiles = ({ files, onLeaveOut }: { files: Stored[]; onLeaveOut: (id: string) => void }) =>
  files.length > 0 && (
    <ul aria-label="Files of the draft">
      {files.map(({ id, file_name: name, size_bytes: bytes }) => (
        <li key={id} className="upload">
          <IconPaperclip size={16} aria-hidden />
          <div className="upload-what">
            <span>
              {name} <span className="second numbers">{sayBytes(bytes)}</span>
            </span>
          </div>
          <span className="status good">
            <IconCircleCheck size={14} aria-hidden /> uploaded
          </span>
          <ActionIcon onClick={() => onLeaveOut(id)} aria-label={`Leave out ${name}`}>
            <IconX size={16} />
          </ActionIcon>
        </li>
      ))}
    </ul>
  );
