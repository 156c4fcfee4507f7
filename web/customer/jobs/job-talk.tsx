import { type Dispatch, type SetStateAction, useRef, useState } from 'react';
import type { Job } from '../../app/api.ts';
import { useReadOnlyReason, useSession } from '../../app/session/session.tsx';
import { Composer } from '../../ui/thread/composer.tsx';
import type { MessageDraft } from '../../ui/thread/message-draft.ts';
import { firstUnread, type StoryEntry } from '../../ui/thread/story.ts';
import { StoryPanel } from '../../ui/thread/story-panel.tsx';
import type { JobThread } from './job-thread.ts';
import { whyNoMessage } from '../../ui/thread/why-no-message.ts';

type Props = {
  job: Job;
  entries: StoryEntry[];
  /** The last message that the reader had read when the page was opened. */
  readId: string | null;
  thread: JobThread;
  draft: readonly [MessageDraft, Dispatch<SetStateAction<MessageDraft>>, () => void];
};

/** The story of a job, and the field that writes to the studio. */
export function JobTalk({ job, entries, readId, thread, draft }: Props) {
  const panel = useRef<HTMLElement>(null);
  const [newFrom] = useState(() => firstUnread(entries, readId));
  const readOnly = useReadOnlyReason();
  const { view } = useSession();
  const waits = job.waiting_on !== null;
  return (
    <StoryPanel
      ref={panel}
      about="what happened and was said"
      entries={entries}
      newFrom={newFrom}
      onTakeBack={thread.takeBack}
      {...(view ? {} : { onSeen: thread.markRead })}
    >
      {!view && (
        <Composer
          over={panel}
          label="Message to the studio"
          placeholder={waits ? 'Write to the studio. What you send answers the question, too.' : 'Write to the studio'}
          hint="The studio and your colleagues read this. Drop or paste pictures."
          draft={draft}
          ways={[{ label: 'Send', send: thread.send }]}
          focusKey="m"
          reason={readOnly ?? whyNoMessage(job, Date.now())}
          primary={job.status !== 'ready_for_customer_review' && !waits}
          {...thread.files}
        />
      )}
    </StoryPanel>
  );
}
