import { ActionIcon, Box, Checkbox, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconGripVertical } from '../../ui/look/icons.ts';
import { type KeyboardEvent, useRef, useState } from 'react';
import { AddButton, Choice, changeFamilies, type Place, useForm } from './catalog-fields.tsx';
import { FaceRow } from './face-row.tsx';
import { free, isAskedFor, put, type Question, textIn } from './families.ts';
import type { Entry } from '../../../contract/studio/yaml-written.ts';
import { QuestionDetails } from './question-details.tsx';
import { kinds, kindWords } from './question-words.ts';
import { problemAt } from './use-edits.ts';
import type { Path } from '../../../contract/studio/yaml-edits.ts';
import { withItem, withItems } from '../../../contract/studio/yaml-lists.ts';

const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 };

/** Puts the questions of a family in another order. `rows`: those that the service is asked. */
function useMoves({ family, familyPath }: Place, rows: number[]) {
  const { edits, open, setOpen } = useForm();
  const list = [...familyPath, 'intake_requirements'];
  const pathOf = (index: number) => [...list, index].join('/');
  const [dragged, setDragged] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  const shown = useRef<HTMLUListElement>(null);
  const move = (index: number, to: number | undefined) => {
    if (to === undefined || to === index) return;
    const all = family.questions.map((_, at) => at);
    const order = all.toSpliced(index, 1).toSpliced(to, 0, index);
    if (!changeFamilies(edits, (text) => withItems(text, list, order))) return;
    setOpen(open === pathOf(index) ? pathOf(to) : null);
    // Rows are named by their places, so the grip of the moved question is the one of its new place.
    if (dragged === null) shown.current?.querySelectorAll<HTMLElement>('[draggable]')[rows.indexOf(to)]?.focus();
    setDragged((now) => (now === null ? null : to));
    setSaid(`${family.questions[index]?.label} is now ${rows.indexOf(to) + 1} of ${rows.length}.`);
  };
  return { list, pathOf, move, dragged, setDragged, said, shown };
}

/** What must be known before work can start, in the order in which it is asked. */
export function Questions({ place }: { place: Place }) {
  const { edits, open, setOpen } = useForm();
  const { family, service } = place;
  const rows = family.questions.flatMap((question, index) => (isAskedFor(question, service.id) ? index : []));
  const canEdit = edits.readOnly === null;
  const { list, pathOf, move, dragged, setDragged, said, shown } = useMoves(place, rows);
  const add = () => {
    const labels = family.questions.map((question) => question.label);
    const label = free('New question', ' ', labels);
    const only: Entry = family.services.length > 1 ? { only_for: [service.id] } : {};
    const index = family.questions.length;
    if (changeFamilies(edits, (text) => withItem(text, list, index, { label, hint: '', example: '', ...only })))
      setOpen(pathOf(index));
  };
  return (
    <FaceRow label="Questions" description="Asked in this order.">
      <div className="question-row small second wide-only" aria-hidden>
        <span className="question-name">Question</span>
        <span>Kind</span>
        <span>Optional</span>
      </div>
      <ul ref={shown}>
        {rows.map((index, at) => {
          const question = family.questions[index];
          if (!question) return null;
          return (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- see Grip
            <li
              key={index}
              style={{ opacity: dragged === index ? 0.5 : 1 }}
              onDragOver={(event) => {
                if (dragged === null) return;
                event.preventDefault();
                move(dragged, index);
              }}
            >
              <div className="question-row">
                {canEdit && (
                  <Grip
                    label={question.label}
                    onStep={(step) => move(index, rows[at + step])}
                    onDrag={(on) => setDragged(on ? index : null)}
                  />
                )}
                <QuestionRow
                  question={question}
                  path={[...list, index]}
                  open={open === pathOf(index)}
                  onOpen={() => setOpen(open === pathOf(index) ? null : pathOf(index))}
                />
              </div>
              {open === pathOf(index) && (
                <QuestionDetails
                  place={place}
                  question={question}
                  index={index}
                  onGone={() => setOpen(null)}
                  onStep={(step) => move(index, rows[at + step])}
                />
              )}
            </li>
          );
        })}
      </ul>
      <VisuallyHidden aria-live="polite">{said}</VisuallyHidden>
      {canEdit && (
        <Box>
          <AddButton onClick={add}>Add a question</AddButton>
        </Box>
      )}
    </FaceRow>
  );
}

type GripProps = { label: string; onStep: (step: number) => void; onDrag: (on: boolean) => void };

const Grip = ({ label, onStep, onDrag }: GripProps) => (
  <ActionIcon
    style={{ cursor: 'grab' }}
    draggable
    aria-label={`Move “${label}” with the arrow keys`}
    onKeyDown={(event: KeyboardEvent) => {
      const step = steps[event.key];
      if (step === undefined) return;
      event.preventDefault();
      onStep(step);
    }}
    onDragStart={(event) => {
      event.dataTransfer.effectAllowed = 'move';
      event.dataTransfer.setData('text/plain', label);
      onDrag(true);
    }}
    onDragEnd={() => onDrag(false)}
  >
    <IconGripVertical size={16} />
  </ActionIcon>
);

type RowProps = { question: Question; path: Path; open: boolean; onOpen: () => void };

function QuestionRow({ question, path, open, onOpen }: RowProps) {
  const { edits } = useForm();
  const { label, kind, optional, entry } = question;
  const problem = problemAt(edits, 'families.yaml', path);
  const brand = textIn(entry, 'brand');
  const setKind = (next: string) =>
    changeFamilies(
      edits,
      (text) => put(text, [...path, 'kind'], next === 'text' ? undefined : next),
      (text) => (next === 'choice' ? text : put(text, [...path, 'choices'], undefined)),
    ) &&
    next === 'choice' &&
    !open &&
    onOpen();
  const Arrow = open ? IconChevronDown : IconChevronRight;
  return (
    <>
      <UnstyledButton
        className="question-name breaks"
        aria-expanded={open}
        data-field={open ? undefined : path.join('/')}
        onClick={onOpen}
      >
        {label || 'A question without a label'}
        {brand && <span className="second small"> · brand kit</span>}
        {problem && <span className="small bad"> · not complete</span>}
      </UnstyledButton>
      <Choice
        label={`Kind of “${label}”`}
        value={kind}
        data={Object.entries(kinds).map(([value, words]) => ({
          value,
          label: capital(value === kind ? kindWords(question) : words),
        }))}
        onChange={setKind}
      />
      <Checkbox
        label={<span className="phone-only">Optional</span>}
        aria-label={`“${label}” is optional`}
        checked={optional}
        disabled={edits.readOnly !== null}
        onChange={({ currentTarget: { checked } }) =>
          changeFamilies(edits, (text) => put(text, [...path, 'optional'], checked ? true : undefined))
        }
      />
      <ActionIcon aria-label={`${open ? 'Close' : 'Open'} “${label}”`} onClick={onOpen}>
        <Arrow size={16} />
      </ActionIcon>
    </>
  );
}

const capital = (words: string) => words.replace(/^(?:a )?(.)/, (_, first: string) => first.toUpperCase());
