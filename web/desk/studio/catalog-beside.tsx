import { ActionIcon } from '@mantine/core';
import { IconArrowBackUp } from '../../ui/look/icons.ts';
import { counted } from '../../ui/job/words.ts';
import { notify } from '../../ui/page/page.tsx';
import { figureIn, textIn } from './families.ts';
import { ChangeWords, type Listed } from './in-words.tsx';
import type { Place } from './catalog-fields.tsx';
import { usePictureOf } from './service-form.tsx';

/** Each change with the way to take it back alone. */
export const NotPublished = ({ changes, canEdit }: { changes: Listed[]; canEdit: boolean }) => (
  <section className="panel" aria-label="Not published">
    <div className="panel-head">
      <h2>Not published</h2>
      <span className="second small">{counted(changes.length, 'change')}</span>
    </div>
    <ul>
      {changes.map((change, index) => (
        <li key={index} className="row line-below" style={{ flexWrap: 'nowrap', padding: '10px 8px 10px 16px' }}>
          <span className="breaks" style={{ flex: 1 }}>
            <ChangeWords {...change} />
            <br />
            <span className="second small">{[change.of, change.concerned].filter(Boolean).join(' · ')}</span>
          </span>
          {canEdit && (
            <ActionIcon
              aria-label={`Undo: ${change.of}, ${change.words}`}
              onClick={() =>
                change.undo() || notify('This cannot be undone by itself. Change the YAML, or discard all changes.')
              }
            >
              <IconArrowBackUp size={16} />
            </ActionIcon>
          )}
        </li>
      ))}
    </ul>
  </section>
);

/** The card of a service in the catalog. */
export function CustomerView({ place }: { place: Place }) {
  const { entry, name, retired } = place.service;
  const { address } = usePictureOf(place);
  const [hours, rounds] = [Number(textIn(entry, 'turnaround_hours')), Number(figureIn(entry, 'revision_rounds'))];
  const facts = [
    Number.isInteger(hours) && hours > 0
      ? hours % 24 === 0
        ? counted(hours / 24, 'day')
        : counted(hours, 'hour')
      : '',
    '1 job',
    Number.isInteger(rounds) ? counted(rounds, 'round') : '',
  ];
  return (
    <section className="panel" aria-label="What customers see">
      <div className="panel-head">
        <h2>What customers see</h2>
      </div>
      <div className="panel-body stack-small" style={{ gap: 4 }}>
        {retired || place.family.retired ? (
          <p className="second">Nothing: it is no longer offered. Where it was ordered, its name stays.</p>
        ) : (
          <>
            {address && <img className="picture-face" src={address} alt="" />}
            <strong className="breaks">{name}</strong>
            <p className="second breaks">{textIn(entry, 'description')}</p>
            <p className="third small">{facts.filter(Boolean).join(' · ')}</p>
          </>
        )}
      </div>
    </section>
  );
}
