import { useEffect, useRef, useState } from 'react';
import { type IntakeSession, operationQuery, queryClient } from '../../../app/api.ts';
import { useDraft } from '../../../app/session/draft.ts';
import { changedFields, type Edits, editsAfter, fieldName, isPending, storedText } from './edits.ts';

type Source = {
  /** As the service has it; null until its first answer. */
  session: IntakeSession | null;
  /** Under which this browser stores what the service does not have yet. */
  localName: string;
};

const nothing: Edits = {};

export const sessionKey = (id: string) => operationQuery('readIntake', { path: { id } }).queryKey;

/** The newest version of a draft, with what was typed since. */
export function useVersions({ session: read, localName }: Source) {
  const [edits, setEdits] = useDraft<Edits>(localName, nothing);
  const [newest, setNewest] = useState(read);
  /** Fields that another window changed. */
  const [elsewhere, setElsewhere] = useState<string[]>([]);
  /** The latest state, for requests that take their turn later. */
  const live = useRef({ edits, session: newest });
  /** The field of the current request. */
  const sending = useRef<string | null>(null);
  live.current.edits = edits;

  const edit = (change: (before: Edits) => Edits) => {
    live.current.edits = change(live.current.edits);
    setEdits(live.current.edits);
  };

  /** The newer version counts but for what was typed since. */
  const adopt = (next: IntakeSession, isOwn: (field: string) => boolean) => {
    const { session: before, edits: typed } = live.current;
    if (before && before.id === next.id && before.version > next.version) return;
    live.current.session = next;
    setNewest(next);
    if (!before) return;
    const foreign = changedFields(before, next).filter((field) => !isOwn(field) && !isPending(before, typed, field));
    if (foreign.length > 0) setElsewhere(foreign.map(fieldName));
    const left = editsAfter(before, next, typed);
    if (Object.keys(left).length < Object.keys(typed).length) edit(() => left);
  };
  useEffect(() => {
    if (read) adopt(read, (field) => field === sending.current);
    // oxlint-disable-next-line react/exhaustive-deps -- `adopt` reads the latest state
  }, [read]);

  /** Takes over the answer to a request of this window. */
  const answered = ({ intake_session: next }: { intake_session: IntakeSession }, isOwn: (field: string) => boolean) => {
    adopt(next, isOwn);
    queryClient.setQueryData(sessionKey(next.id), { intake_session: next });
    return next;
  };

  /** By the latest text of the field. */
  const changeText = (field: string, change: (text: string) => string) => {
    setElsewhere([]);
    edit((before) => ({ ...before, [field]: change(before[field] ?? storedText(live.current.session, field)) }));
  };
  const setText = (field: string, text: string) => changeText(field, () => text);
  const setSending = (field: string | null) => {
    sending.current = field;
  };
  return { setSending, session: newest, edits, setText, changeText, live, answered, elsewhere };
}
