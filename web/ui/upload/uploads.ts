import { useEffect, useRef, useState } from 'react';

/** How a file goes to the service: the customer's `uploadFile`, or the desk's. */
export type SendFile<Stored> = (
  file: File,
  options: { idempotencyKey: string; progress: (sent: number) => void; signal: AbortSignal },
) => Promise<Stored>;

export type Upload<Stored = unknown> = {
  /** Its Idempotency-Key too: trying again makes no second file. */
  id: string;
  file: File;
  state: 'waiting' | 'sending' | 'failed' | 'done';
  sent: number;
  startedAt: number;
  stored: Stored | null;
  error: Error | null;
};

const atOnce = 3;

type Handlers<Stored> = {
  onStored: (file: Stored) => void;
  /** One that was stored is left out again. */
  onRemoved?: (file: Stored) => void;
};

/** A queue of uploads: three at once, with progress, each can be canceled and tried again. */
export function useUploads<Stored>(send: SendFile<Stored>, { onStored, onRemoved = () => {} }: Handlers<Stored>) {
  const [uploads, setUploads] = useState<Upload<Stored>[]>([]);
  const controllers = useRef(new Map<string, AbortController>());
  const patch = (id: string, change: Partial<Upload<Stored>>) =>
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...change } : upload)));

  const start = async ({ id, file }: Upload<Stored>) => {
    const controller = new AbortController();
    controllers.current.set(id, controller);
    patch(id, { state: 'sending', sent: 0, startedAt: performance.now(), error: null });
    try {
      const progress = (sent: number) => patch(id, { sent });
      const stored = await send(file, { idempotencyKey: id, progress, signal: controller.signal });
      patch(id, { state: 'done', sent: file.size, stored });
      onStored(stored);
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
    add: (files: Iterable<File>) =>
      setUploads((all) => [
        ...all,
        ...[...files].map((file): Upload<Stored> => ({
          id: crypto.randomUUID(),
          file,
          state: 'waiting',
          sent: 0,
          startedAt: 0,
          stored: null,
          error: null,
        })),
      ]),
    /** Takes what is stored off the list; it stays where it is. */
    forget: (id: string) => setUploads((all) => all.filter((upload) => upload.id !== id)),
    retry: (id: string) => patch(id, { state: 'waiting' }),
    remove: (id: string) => {
      controllers.current.get(id)?.abort(new Error('The upload was canceled.'));
      const stored = uploads.find((upload) => upload.id === id)?.stored;
      if (stored) onRemoved(stored);
      setUploads((all) => all.filter((upload) => upload.id !== id));
    },
  };
}
