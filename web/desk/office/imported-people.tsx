import { useState } from 'react';
import type { DeskAccount } from '../../app/api.ts';
import { ConfirmOperation } from '../../app/confirm-operation.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { counted, roleWords } from '../../ui/job/words.ts';
import { RowButton } from '../../ui/list/row-button.tsx';
import { notify, Panel } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';
import { useRoleReason } from '../may.ts';

type Person = DeskAccount['imported_people'][number];

/** Those whom an import named, until they have joined. Nothing where nobody waits. */
export function ImportedPeople({ account: { id, name, imported_people: people } }: { account: DeskAccount }) {
  const [invited, setInvited] = useState<{ chosen: Person[]; idempotencyKey: string } | null>(null);
  const [removed, setRemoved] = useState<Person | null>(null);
  const forbidden = useRoleReason('note_accounts');
  const waiting = people.filter(({ invited_until: until }) => until === null).slice(0, 100);
  if (people.length === 0) return null;
  const { chosen = [], idempotencyKey = '' } = invited ?? {};
  // A second attempt after a lost answer sends no second mail.
  const invite = (some: Person[]) => setInvited({ chosen: some, idempotencyKey: crypto.randomUUID() });
  return (
    <Panel title="Imported people">
      <div className="stack-small">
        <p className="second">They cannot sign in until they have accepted an invitation.</p>
        <ul className="stack-small">
          {people.map((person) => (
            <li key={person.id} className="row between">
              <ImportedPerson person={person} />
              {forbidden === null && (
                <span className="row">
                  <RowButton label={`Invite ${person.name}`} onClick={() => invite([person])}>
                    {person.invited_until ? 'Invite again' : 'Invite'}
                  </RowButton>
                  <RowButton label={`Remove ${person.name}`} onClick={() => setRemoved(person)}>
                    Remove
                  </RowButton>
                </span>
              )}
            </li>
          ))}
        </ul>
        {waiting.length > 1 && (
          <ActionButton
            variant="default"
            size="xs"
            style={{ alignSelf: 'flex-start' }}
            reason={forbidden}
            onClick={() => invite(waiting)}
          >
            {`Invite ${waiting.length} people`}
          </ActionButton>
        )}
      </div>
      {invited && (
        <ConfirmOperation
          title={chosen.length === 1 ? `Invite ${chosen[0]?.name}?` : `Invite ${chosen.length} people?`}
          confirm={chosen.length === 1 ? 'Send the invitation' : 'Send the invitations'}
          destructive={false}
          operation="inviteImportedPeople"
          input={{ path: { id }, body: { person_ids: chosen.map((person) => person.id) }, idempotencyKey }}
          onDone={({ invited: count }) => notify(`${counted(count, 'invitation')} sent.`)}
          onClose={() => setInvited(null)}
        >
          A mail in your name invites {chosen.length === 1 ? chosen[0]?.email : 'each of them'} to join {name}. The link
          is valid for 48 hours.
        </ConfirmOperation>
      )}
      {removed && (
        <ConfirmOperation
          title={`Remove ${removed.name}?`}
          confirm="Remove the person"
          operation="removeImportedPerson"
          input={{ path: { id, person_id: removed.id } }}
          onDone={() => notify(`${removed.name} was removed.`)}
          onClose={() => setRemoved(null)}
        >
          For somebody who has left {name}. Their name and address are erased, and an invitation of the studio ends.
          Their past jobs stay.
        </ConfirmOperation>
      )}
    </Panel>
  );
}

const ImportedPerson = ({ person: { name, email, role, invited_until: until } }: { person: Person }) => (
  <span className="breaks">
    {name} <span className="second small">{roleWords[role]}</span>
    <span className="cell-second">
      {email}
      {until && (
        <>
          , invited until <Time at={until} as="moment" />
        </>
      )}
    </span>
  </span>
);
