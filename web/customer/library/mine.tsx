import { queryClient } from '../../app/api.ts';
import { useAcceptedTypes } from '../../app/file-types.ts';
import { useReadOnlyReason, useReviewerReason } from '../../app/session/session.tsx';
import { Panel } from '../../ui/page/page.tsx';
import { UploadArea } from '../../ui/upload/upload.tsx';
import { useUploads } from '../../ui/upload/uploads.ts';
import { useDroppedFiles } from '../../ui/upload/use-dropped-files.ts';
import { sendFile } from '../ordering/send-file.ts';
import { OwnFiles } from './own-files.tsx';

/** Uploads that belong to no job yet come first, with the place to drop more. */
export function Mine() {
  const readOnly = useReadOnlyReason();
  const reason = useReviewerReason() ?? readOnly;
  const accept = useAcceptedTypes();
  const onStored = () => void queryClient.invalidateQueries({ queryKey: ['listFiles'] });
  const queue = useUploads(sendFile, { onStored });
  // Anywhere on the page; the area itself takes what falls on it.
  useDroppedFiles('page', (files) => reason === null && queue.add(files), ['drop']);
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
