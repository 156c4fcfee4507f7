import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { labelOf, put, typeOf } from '../../../client/upload.ts';
import { Atelier, AtelierError } from '../../app/api.ts';
import { typeByEnding, useAcceptedTypes } from '../../app/file-types.ts';
import { Entry } from '../../ui/page/entry.tsx';
import { Loaded } from '../../ui/page/page.tsx';
import { studio } from '../../ui/shell/studio.ts';
import { Time } from '../../ui/time/time.tsx';
import { sayBytes } from '../../ui/upload/bytes.ts';
import { UploadArea } from '../../ui/upload/upload.tsx';
import { type SendFile, useUploads } from '../../ui/upload/uploads.ts';
import { takeUploadToken, uploadToken } from '../fragment-tokens.ts';

/** By the token of the page alone: no cookie is sent, even if a member opens it. */
const uploadApi = new Atelier({
  url: location.origin,
  retries: 1,
  maxWaitSeconds: 2,
  fetch: (input, init) => fetch(new Request(input, { ...init, credentials: 'omit' })),
});

type SentFile = { file_name: string; size_bytes: number };

/** The completion was asked for, but its answer was lost. */
class UnknownOutcome extends Error {}

/** A page that has ended since the completion was asked for may have taken the file. */
function sendByPage(): SendFile<SentFile> {
  let isCompleting = false;
  return async (file, { progress, signal }) => {
    const token = uploadToken();
    const content_type = (await typeByEnding(file.name)) ?? typeOf(file.name, file.type);
    const fields = { file_name: labelOf(file.name), content_type, size_bytes: file.size };
    try {
      const { upload } = await uploadApi.startPageUpload({ body: { token, ...fields }, signal });
      const status = await put(upload, file, progress, signal);
      if (status >= 300) throw new AtelierError(status, { message: `The storage answered ${status}.` });
      isCompleting = true;
      return await uploadApi.completePageUpload({ body: { token, ...(await posterOf(file, content_type)) } });
    } catch (error) {
      if (isCompleting && error instanceof AtelierError && error.status === 404) throw new UnknownOutcome();
      throw error;
    }
  };
}

/** A frame of a film. Without one the film is sent all the same. */
async function posterOf(file: File, contentType: string): Promise<{ poster?: string }> {
  if (!contentType.startsWith('video/')) return {};
  const { frameOf } = await import('../../ui/upload/video-frame.ts');
  const poster = await frameOf(file);
  return poster ? { poster } : {};
}

/** For somebody without a credential, whom an agent asked for a file. */
export function Upload() {
  const [sent, setSent] = useState<SentFile | null>(null);
  const [hasEnded, setEnded] = useState(false);
  const page = useQuery({
    queryKey: ['upload-page'],
    queryFn: () => uploadApi.readUploadPage({ body: { token: uploadToken() } }),
    enabled: uploadToken() !== '',
    staleTime: 'static',
  });
  useEffect(() => {
    // Another address, opened in the same tab.
    const reload = () => (takeUploadToken(), location.reload());
    addEventListener('hashchange', reload);
    return () => removeEventListener('hashchange', reload);
  }, []);
  if (sent)
    return (
      <Entry title="Your file has arrived">
        <p role="status">
          {sent.file_name}, <span className="numbers">{sayBytes(sent.size_bytes)}</span>. You can close this page.
        </p>
      </Entry>
    );
  const isDead = page.error instanceof AtelierError && page.error.status === 404;
  // The same words for every reason: nobody learns whether the address ever worked.
  if (uploadToken() === '' || isDead || hasEnded)
    return (
      <Entry title="This address has ended">
        <p>
          {hasEnded
            ? 'The connection broke off at the end, so your file may have arrived. Ask whoever sent you the address.'
            : 'It worked for one file and half an hour. Ask whoever sent it to you for a new one.'}
        </p>
      </Entry>
    );
  return (
    <Entry title={`Send a file to ${studio.name}`}>
      <Loaded query={page} height={180}>
        {({ upload_page: { account_name, requested_by, file_name, expires_at } }) => (
          <>
            <p>
              <strong>{requested_by}</strong> asks for a file for <strong>{account_name}</strong>: “{file_name}”
            </p>
            <OneFile onSent={setSent} onEnded={() => setEnded(true)} />
            <p className="small second">
              This address takes one file, until <Time at={expires_at} as="moment" />. You need no account. Never send
              passwords or keys.
            </p>
          </>
        )}
      </Loaded>
    </Entry>
  );
}

function OneFile({ onSent, onEnded }: { onSent: (file: SentFile) => void; onEnded: () => void }) {
  const [send] = useState(sendByPage);
  const [hasSeveral, setSeveral] = useState(false);
  const acceptedTypes = useAcceptedTypes();
  const queue = useUploads(send, { onStored: onSent });
  const isUnknown = queue.uploads.some(({ error }) => error instanceof UnknownOutcome);
  useEffect(() => {
    if (isUnknown) onEnded();
  });
  const add = (files: Iterable<File>) => {
    const [file, ...others] = [...files];
    setSeveral(others.length > 0);
    if (file && others.length === 0) queue.add([file]);
  };
  const reason = queue.uploads.length > 0 ? 'One file only' : null;
  return (
    <UploadArea queue={{ ...queue, add }} accept={acceptedTypes} reason={reason} single>
      {hasSeveral && (
        <p className="bad small" role="alert">
          Only one file can be sent here. Put several into one ZIP file.
        </p>
      )}
    </UploadArea>
  );
}
