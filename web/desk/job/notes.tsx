import { Button } from '@mantine/core';
import { useRef } from 'react';
import { type DeskJob, useOperation } from '../../app/api.ts';
import { Failure } from '../../ui/page/failure.tsx';
import { useDraft } from '../../app/session/draft.ts';
import { useMoveKey } from '../../ui/form/move-key.ts';
import { Panel } from '../../ui/page/page.tsx';
import { useShortcut } from '../../ui/shell/shortcuts.tsx';
import { NeverShown } from '../never-shown.tsx';
import { Textarea } from '../../ui/form/textarea.tsx';

/** The studio's standing note, which is changed on the page of the account. */
export const AccountNotePanel = ({ note }: { note: string }) => (
  <Panel
    title="About the customer"
    beside={
      <span className="push">
        <NeverShown />
      </span>
    }
  >
    <p className="prose">{note}</p>
  </Panel>
);

/** Looks like the notes in the story, and is written apart from what the customer reads. */
export function Notes({ job }: { job: DeskJob }) {
  const add = useOperation('addNote');
  const [body, setBody, forget] = useDraft(`note-${job.id}`, '');
  const key = useMoveKey(`${job.notes.length}-${body}`);
  const field = useRef<HTMLTextAreaElement>(null);
  useShortcut('n', 'Write a note', () => field.current?.focus());
  const send = () =>
    add.mutate({ path: { id: job.id }, body: { body: body.trim() }, idempotencyKey: key }, { onSuccess: forget });
  return (
    <Panel title="Note for colleagues" beside={<NeverShown />}>
      <form className="stack-small note-field" onSubmit={(event) => (event.preventDefault(), send())}>
        <Textarea
          ref={field}
          aria-label="Add a note"
          placeholder="Add a note"
          minRows={1}
          maxLength={10_000}
          value={body}
          onChange={(event) => setBody(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            // Otherwise the page's shortcut would submit the work.
            event.preventDefault();
            if (body.trim() !== '') send();
          }}
        />
        {add.error && <Failure error={add.error} />}
        {body.trim() !== '' && (
          <Button type="submit" variant="default" size="xs" loading={add.isPending} style={{ alignSelf: 'flex-end' }}>
            Add the note
          </Button>
        )}
      </form>
    </Panel>
  );
}
