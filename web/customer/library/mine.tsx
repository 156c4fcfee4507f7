import { useEffect, useEffectEvent } from 'react';
import { queryClient } from '../../app/api.ts';
import { useAcceptedTypes } from '../../app/file-types.ts';
import { useReadOnlyReason, useReviewerReason } from '../../app/session/session.tsx';
import { Panel } from '../../ui/page/page.tsx';
import { UploadArea } from '../../ui/upload/upload.tsx';
import { useUploads } from '../../ui/upload/uploads.ts';
import { sendFile } from '../ordering/send-file.ts';
import { OwnFiles } from './own-files.tsx';

/** Uploads that belong to no job yet come first, with the place to drop more. */
export function Mine() {
  const readOnly = useReadOnlyReason();
  const reason = useReviewerReason() ?? readOnly;
  const accept = useAcceptedTypes();
  const onStored = () => void queryClient.invalidateQueries({ queryKey: ['listFiles'] });
  const queue = useUploads(sendFile, { onStored });
  useDropAnywhere((files) => reason === null && queue.add(files));
  return (
    <Panel title="Without a job">
      <div className="stack-small">
        <UploadArea queue={queue} accept={accept} reason={reason}>
          <p className="second small">They can be attached to the next order.</p>
        </UploadArea>
        <OwnFiles jobId={null} />
      </div>
    </Panel>
  );
}

/** Files may be dropped anywhere on the page. The area itself has taken those that fell on it. */
function useDropAnywhere(take: (files: Iterable<File>) => void): void {
  const onDrop = useEffectEvent((event: DragEvent) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    take(event.dataTransfer?.files ?? []);
  });
  useEffect(() => {
    const allow = (event: DragEvent) => event.preventDefault();
    document.addEventListener('dragover', allow);
    document.addEventListener('drop', onDrop);
    return () => {
      document.removeEventListener('dragover', allow);
      document.removeEventListener('drop', onDrop);
    };
  }, []);
}
