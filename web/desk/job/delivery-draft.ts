import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, AtelierError, type DeskJob, operationQuery, queryClient } from '../../app/api.ts';
import { readStored } from '../../ui/page/read-stored.ts';

export type Prepared = { message: string; fileIds: string[] };
type Unsaved = Prepared & { base: string | null };

/** Milliseconds of quiet after which a change is saved. */
const quiet = 700;
const afterFailure = 5_000;

/** What could not be saved yet survives a reload in this browser. */
const nameOf = (me: string, jobId: string) => `atelier-delivery-${me}-${jobId}`;
export const forgetUnsaved = (me: string, jobId: string) => localStorage.removeItem(nameOf(me, jobId));

/**
 * The draft of the job's next delivery. The holder's changes are saved on the server. What a colleague saves
 * is shown too, unless this page has changes of its own.
 */
export function useDeliveryDraft(job: DeskJob, me: string, initial: Prepared, mayWrite: boolean) {
  const query = operationQuery('readDeliveryDraft', { path: { id: job.id } });
  const { queryKey } = query;
  // No stream tells of a colleague's typing.
  const { data } = useQuery({ ...query, refetchInterval: mayWrite ? false : 5_000 });
  const saved = data?.draft;
  const [unsaved, setUnsaved] = useState(() => readStored(localStorage, nameOf(me, job.id)) as Unsaved | null);
  const [failed, setFailed] = useState(false);
  const fromServer = saved?.saved_at ? { message: saved.message, fileIds: saved.file_ids } : initial;
  const prepared: Prepared = unsaved ?? fromServer;

  const keep = (next: Unsaved | null) => {
    setUnsaved(next);
    // If the storage is full or blocked, only a reload loses it.
    try {
      if (next) localStorage.setItem(nameOf(me, job.id), JSON.stringify(next));
      else forgetUnsaved(me, job.id);
    } catch {}
  };
  const latest = useRef(unsaved);
  latest.current = unsaved;
  const byColleague = saved?.created_by && saved.created_by.id !== me && saved.saved_at !== unsaved?.base;
  const overtaken = unsaved && byColleague ? saved : null;
  const writes = mayWrite && saved !== undefined && overtaken === null;

  const save = async () => {
    const sent = latest.current;
    if (!sent || !writes) return;
    try {
      const body = { message: sent.message, file_ids: sent.fileIds };
      const answer = await api.saveDeliveryDraft({ path: { id: job.id }, body });
      queryClient.setQueryData(queryKey, answer);
      setFailed(false);
      // Typing may have gone on.
      const typed = latest.current;
      keep(typed === sent || !typed ? null : { ...typed, base: answer.draft.saved_at });
    } catch (error) {
      setFailed(true);
      // Somebody ended the job or took it over: the page says so once it has read it anew.
      if (error instanceof AtelierError && error.status === 409)
        void queryClient.invalidateQueries(operationQuery('readDeskJob', { path: { id: job.id } }));
    }
  };
  const saveNow = useRef(save);
  saveNow.current = save;

  useEffect(() => {
    if (!unsaved || !writes) return;
    const timer = setTimeout(() => void saveNow.current(), failed ? afterFailure : quiet);
    return () => clearTimeout(timer);
  }, [unsaved, writes, failed]);
  // Another page of the app is opened before the pause is over.
  useEffect(() => () => void saveNow.current(), []);

  const change = (next: Partial<Prepared>) => keep({ ...prepared, ...next, base: saved?.saved_at ?? null });
  return {
    ...prepared,
    loaded: saved !== undefined,
    change,
    /** What a colleague saved after this page was changed. Nothing is saved until one of both is chosen. */
    overtaken,
    useTheirs: () => keep(null),
    useMine: () => keep(unsaved && { ...unsaved, base: saved?.saved_at ?? null }),
    savedAt: saved?.saved_at ?? null,
    savedBy: saved?.created_by ?? null,
    state: failed ? ('failed' as const) : unsaved ? ('saving' as const) : ('saved' as const),
  };
}
