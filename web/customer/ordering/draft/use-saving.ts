import { useEffect, useRef, useState } from 'react';
import { AtelierError, queryClient, type ServiceFamily, type ServiceOption, useOperation } from '../../../app/api.ts';
import { changeOf, type Edits, pendingFields, requirementOf, type Stored } from './edits.ts';
import { sessionKey, useVersions } from './use-versions.ts';

type Refused = Record<string, { text: string; error: Error }>;

type Source = Parameters<typeof useVersions>[0] & {
  family: ServiceFamily;
  option: ServiceOption | undefined;
  onOpened: (id: string) => void;
  /** Why nothing can be stored yet. */
  reason: string | null;
};

/** Milliseconds without typing before a draft is stored. */
const pause = 600;
/** Milliseconds until a failed request is sent again. */
const retryAfter = 4_000;

/** Stores what the author types, field by field. Of two windows the later change of a field counts. */
export function useSaving(source: Source) {
  const versions = useVersions(source);
  const { session, edits, live } = versions;
  const { inTurn, failure, isSaving } = useQueue();
  const [refused, setRefused] = useState<Refused>({});
  const refusals = useRef(refused);
  const requests = useRequests(source, versions);
  const unsaved = () => unsavedFields(live.current.session, live.current.edits, refusals.current);

  const saveField = async (field: string, text: string): Promise<void> => {
    try {
      await requests.store(field, text.trim());
    } catch (error) {
      if (!isLasting(error)) throw error;
      refusals.current = { ...refusals.current, [field]: { text, error } };
      setRefused(refusals.current);
    }
  };
  const saveFields = async (): Promise<void> => {
    for (let [field] = unsaved(); field !== undefined; [field] = unsaved())
      await saveField(field, live.current.edits[field] ?? '');
  };

  const isWaiting = source.reason === null && unsavedFields(session, edits, refused).length > 0;
  const latest = useRef({ isWaiting, save: () => Promise.resolve() });
  latest.current = { isWaiting, save: () => inTurn(saveFields) };
  // `failure` says what went wrong.
  const save = () => latest.current.save().catch(() => {});
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => void save(), failure ? retryAfter : pause);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- `save` reads the latest state
  }, [isWaiting, edits, failure]);
  // oxlint-disable-next-line react/exhaustive-deps -- when the page is left
  useEffect(() => () => void (latest.current.isWaiting && save()), []);

  return {
    ...versions,
    refused,
    failure,
    isSaving,
    isUnsaved: pendingFields(session, edits).length > 0,
    /** Runs after what was typed is stored. */
    after: <T>(run: (id: string) => Promise<T>) =>
      inTurn(async () => {
        await saveFields();
        return run(await requests.open());
      }),
  };
}

function useRequests(
  { family, option, onOpened }: Source,
  { live, answered, setSending }: ReturnType<typeof useVersions>,
) {
  const openIntake = useOperation('openIntake').mutateAsync;
  const update = useOperation('updateIntake').mutateAsync;
  const answer = useOperation('answerIntake').mutateAsync;
  const [idempotencyKey] = useState(() => crypto.randomUUID());

  const open = async (): Promise<string> => {
    if (live.current.session) return live.current.session.id;
    const body = { service_family: family.id, ...(option ? { service_type: option.id } : {}) };
    const { id } = answered(await openIntake({ body, idempotencyKey }), () => true);
    onOpened(id);
    return id;
  };
  const send = (id: string, field: string, text: string) => {
    const [path, requirement] = [{ id }, requirementOf(field)];
    if (requirement === null) return update({ path, body: changeOf(field, text) });
    return answer({ path, body: text === '' ? { requirement, open: true } : { requirement, answer: text } });
  };
  const store = async (field: string, text: string): Promise<void> => {
    const id = await open();
    setSending(field);
    try {
      answered(await send(id, field, text), (other) => other === field);
    } catch (error) {
      // Perhaps it was ordered in another window.
      if (isLasting(error) && error.status === 409) void queryClient.invalidateQueries({ queryKey: sessionKey(id) });
      throw error;
    } finally {
      setSending(null);
    }
  };
  return { open, store };
}

const unsavedFields = (stored: Stored | null, edits: Edits, refused: Refused): string[] =>
  pendingFields(stored, edits).filter((field) => refused[field]?.text !== edits[field]);

/** The same text would be refused again. */
const isLasting = (error: unknown): error is AtelierError =>
  error instanceof AtelierError && [403, 404, 409, 422].includes(error.status);

/** Runs requests one after the other, so that each sees the version before it. */
function useQueue() {
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const [count, setCount] = useState(0);
  /** Of the last request that failed, until one succeeds. */
  const [failure, setFailure] = useState<Error | null>(null);
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const turn = last.current.then(run);
    setCount((before) => before + 1);
    last.current = turn.then(() => setFailure(null), setFailure).finally(() => setCount((before) => before - 1));
    return turn;
  };
  return { inTurn, failure, isSaving: count > 0 };
}
