import { useEffect, useRef, useState } from 'react';
import { AtelierError } from '../../../client/error.ts';
import { maxFileBytes } from '../../../contract/files/file-types.ts';
import { keepPlace, nextPlace } from './chosen-order.ts';

/** Uploads as the customer or as the desk. */
export type SendFile<Stored> = (
  file: File,
  options: { idempotencyKey: string; progress: (sent: number) => void; signal: AbortSignal },
) => Promise<Stored>;

export type Upload<Stored = unknown> = {
  /** Also the Idempotency-Key, so that a retry does not create a second file. */
  id: string;
  file: File;
  /** Among all files that were chosen. */
  place: number;
  state: 'waiting' | 'sending' | 'failed' | 'done';
  sent: number;
  startedAt: number;
  stored: Stored | null;
  error: Error | null;
};

const waiting = { state: 'waiting', sent: 0, startedAt: 0, stored: null, error: null } as const;
const atOnce = 3;
const newUpload = (file: File) => ({ id: crypto.randomUUID(), file, place: nextPlace(), ...waiting });

/** Milliseconds for each of many uploads at least, which leaves requests to the rest of the page. */
const least = 800;
const many = 100;

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Waits as long as a rate limit says, and tries again. */
async function whenAllowed<Stored>(send: () => Promise<Stored>, signal: AbortSignal): Promise<Stored> {
  for (;;)
    try {
      return await send();
    } catch (error) {
      if (signal.aborted || !(error instanceof AtelierError) || error.status !== 429) throw error;
      await wait((error.retryAfterSeconds ?? 5) * 1000);
    }
}

type Handlers<Stored> = {
  onStored: (file: Stored, uploadId: string) => void;
  onRemoved?: (file: Stored) => void;
};

/** What the service would refuse, said in words for people. */
function refuse({ size }: File): void {
  if (size === 0) throw new AtelierError(422, { code: 'unsupported_file', message: 'This file is empty.', action: '' });
  if (size > maxFileBytes) throw new AtelierError(413, { code: 'file_too_large' });
}

/** Whether the file itself was refused, so that a retry is useless. */
export const isLasting = (error: Error | null) =>
  error instanceof AtelierError &&
  (error.code === 'upload_incomplete' ? error.details.length > 0 : lastingCodes.has(error.code));
const lastingCodes = new Set(['unsupported_file', 'file_too_large', 'invalid_request', 'unsafe_request']);

/** Uploads three files at once, with progress, cancel and retry. */
export function useUploads<Stored extends object>(send: SendFile<Stored>, { onStored, onRemoved }: Handlers<Stored>) {
  const [uploads, setUploads] = useState<Upload<Stored>[]>([]);
  const controllers = useRef(new Map<string, AbortController>());
  const patch = (id: string, change: Partial<Upload<Stored>>) =>
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...change } : upload)));
  const forget = (id: string) => setUploads((all) => all.filter((upload) => upload.id !== id));

  const start = async ({ id, file, place }: Upload<Stored>) => {
    const controller = new AbortController();
    controllers.current.set(id, controller);
    patch(id, { state: 'sending', sent: 0, startedAt: performance.now(), error: null });
    try {
      refuse(file);
      const progress = (sent: number) => patch(id, { sent });
      const { signal } = controller;
      const sending = whenAllowed(() => send(file, { idempotencyKey: id, progress, signal }), signal);
      const [stored] = await Promise.all([sending, uploads.length > many && wait(least)]);
      if ('id' in stored) keepPlace(String(stored.id), place);
      patch(id, { state: 'done', sent: file.size, stored });
      onStored(stored, id);
    } catch (error) {
      if (!controller.signal.aborted) patch(id, { state: 'failed', error: error as Error });
    }
  };

  useEffect(() => {
    const sending = uploads.filter(({ state }) => state === 'sending').length;
    const next = uploads.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, atOnce - sending));
    for (const upload of next) void start(upload);
  });

  return {
    uploads,
    busy: uploads.some(({ state }) => state === 'waiting' || state === 'sending'),
    add: (files: Iterable<File>) => setUploads((all) => [...all, ...[...files].map((file) => newUpload(file))]),
    /** Takes a stored file off the list without deleting it. */
    forget,
    retry: (id: string) => patch(id, { state: 'waiting' }),
    remove: (id: string) => {
      controllers.current.get(id)?.abort(new Error('The upload was canceled.'));
      const stored = uploads.find((upload) => upload.id === id)?.stored;
      if (stored) onRemoved?.(stored);
      forget(id);
    },
  };
}
