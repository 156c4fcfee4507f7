import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { timeBounds } from '../../../contract/desk/time-bounds.ts';
import { type DeskJob, useOperation } from '../../app/api.ts';
import { ConfirmOperation } from '../../app/confirm-operation.tsx';
import { useSession } from '../../app/session/session.tsx';
import { FormDialog } from '../../ui/dialog/dialog.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { useMoveKey } from '../../ui/form/form.ts';
import { useFields } from '../../ui/form/use-fields.ts';
import { RowButton } from '../../ui/list/row-button.tsx';
import { Panel } from '../../ui/page/page.tsx';
import { sayDay } from '../../ui/time/time.tsx';
import { NeverShown } from '../never-shown.tsx';
import { asField } from './due-choice.ts';
import { sayMinutes } from './noted-words.ts';

type Entry = DeskJob['times'][number];

/** What the job cost the studio. Everybody corrects their own entries. */
export function TimesPanel({ job }: { job: DeskJob }) {
  const { user } = useSession();
  const [editing, setEditing] = useState<Entry | 'new' | null>(null);
  const [ending, setEnding] = useState<Entry | null>(null);
  const total = job.times.reduce((sum, { minutes }) => sum + minutes, 0);
  return (
    <Panel title={total > 0 ? `Time noted: ${sayMinutes(total)}` : 'Time'} beside={<NeverShown />}>
      <div className="stack-small">
        {job.times.length > 0 && (
          <ul className="stack-small">
            {job.times.map((entry) => (
              <li key={entry.id}>
                <strong className="numbers">{sayMinutes(entry.minutes)}</strong> {entry.words}
                <div className="row between">
                  <span className="second small">
                    {entry.created_by.name}, {sayDay(`${entry.worked_on}T12:00`)}
                  </span>
                  {entry.created_by.id === user.id && (
                    <span className="nowrap">
                      <RowButton label={`Correct ${sayMinutes(entry.minutes)}`} onClick={() => setEditing(entry)}>
                        Correct
                      </RowButton>
                      <RowButton
                        destructive
                        label={`Withdraw ${sayMinutes(entry.minutes)}`}
                        onClick={() => setEnding(entry)}
                      >
                        Withdraw
                      </RowButton>
                    </span>
                  )}
                </div>
              </li>
            ))}
          </ul>
        )}
        <ActionButton variant="default" size="xs" style={{ alignSelf: 'flex-start' }} onClick={() => setEditing('new')}>
          Note time
        </ActionButton>
      </div>
      {editing && (
        <TimeDialog jobId={job.id} entry={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
      {ending && (
        <ConfirmOperation
          destructive
          operation="withdrawTime"
          input={{ path: { id: job.id, time_id: ending.id } }}
          title={`Withdraw ${sayMinutes(ending.minutes)}?`}
          confirm="Withdraw"
          onClose={() => setEnding(null)}
        >
          It leaves the reports, too.
        </ConfirmOperation>
      )}
    </Panel>
  );
}

function TimeDialog({ jobId, entry, onClose }: { jobId: string; entry: Entry | null; onClose: () => void }) {
  const note = useOperation('noteTime', onClose);
  const replace = useOperation('replaceTime', onClose);
  const action = entry ? replace : note;
  const { minutes = '', worked_on = asField(Date.now()).slice(0, 10), words: written } = entry ?? {};
  const { fields, field } = useFields({ minutes: String(minutes), worked_on, words: written ?? '' }, action.error);
  const words = fields.words.trim();
  const body = { minutes: Number(fields.minutes), worked_on: fields.worked_on, ...(words && { words }) };
  const idempotencyKey = useMoveKey(JSON.stringify(body));
  const save = () => {
    if (entry) replace.mutate({ path: { id: jobId, time_id: entry.id }, body });
    else note.mutate({ path: { id: jobId }, body, idempotencyKey });
  };
  return (
    <FormDialog
      onClose={onClose}
      title={entry ? 'Correct the time' : 'Note time'}
      submit={entry ? 'Correct' : 'Note'}
      onSubmit={save}
      action={action}
      fields={['minutes', 'worked_on', 'words']}
      disabled={body.minutes < 1 || body.worked_on === ''}
    >
      <TextInput
        label="Minutes"
        type="number"
        min={1}
        max={timeBounds.minutes}
        step={1}
        {...field('minutes')}
        data-autofocus
      />
      <TextInput label="Day" type="date" {...field('worked_on')} />
      <TextInput
        label="What was done"
        description="Optional. The customer never sees it."
        maxLength={timeBounds.words}
        {...field('words')}
      />
    </FormDialog>
  );
}
