import { Button } from '@mantine/core';
import { useRef } from 'react';
import { type DeskJob, useOperation } from '../../app/api.ts';
import { useSession } from '../../app/session/session.tsx';
import { Failure } from '../../ui/page/failure.tsx';
import { useDraft } from '../../app/session/draft.ts';
import { useMoveKey } from '../../ui/form/move-key.ts';
import { Panel } from '../../ui/page/page.tsx';
import { useShortcut } from '../../ui/shell/shortcuts.tsx';
import { Time } from '../../ui/time/time.tsx';
import { initials } from '../../app/session/person-menu.tsx';
import { Textarea } from '../../ui/form/textarea.tsx';

export function Notes({ job }: { job: DeskJob }) {
  const { user } = useSession();
  const add = useOperation('addNote');
  const [body, setBody, forget] = useDraft(`note-${job.id}`, '');
  const key = useMoveKey(`${job.notes.length}-${body}`);
  const field = useRef<HTMLTextAreaElement>(null);
  useShortcut('n', 'Write a note', () => field.current?.focus());
  const send = () =>
    add.mutate({ path: { id: job.id }, body: { body: body.trim() }, idempotencyKey: key }, { onSuccess: forget });
  return (
    <Panel title="Internal notes" beside={<span className="second">for the studio only</span>}>
      <div className="stack">
        {job.notes.length > 0 && (
          <ol className="notes" aria-live="polite">
            {job.notes.map((note) => (
              <li key={note.id}>
                <span className={note.created_by.id === user.id ? 'avatar' : 'avatar other'} aria-hidden>
                  {initials(note.created_by.name)}
                </span>
                <span>
                  <strong>{note.created_by.id === user.id ? 'You' : note.created_by.name}</strong>{' '}
                  <span className="third small">
                    <Time at={note.created_at} />
                  </span>
                  <p className="prose">{note.body}</p>
                </span>
              </li>
            ))}
          </ol>
        )}
        <form className="stack-small" onSubmit={(event) => (event.preventDefault(), send())}>
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
      </div>
    </Panel>
  );
}
