import { ActionIcon, Box, Button, Checkbox, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconGripVertical, IconPlus } from '../../ui/look/icons.ts';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { Choice, changeFamilies, Lines, useForm, Words } from './catalog-fields.tsx';
import { kindWords, withItem, without } from './catalog-words.ts';
import { FaceRow } from './face-row.tsx';
import { type Entry, isAskedFor, put, type Question, textIn, textsIn } from './families.ts';
import type { Place } from './service-form.tsx';
import { focusField } from './spot.ts';
import { problemAt } from './use-edits.ts';
import { type Path, type Value, withItems } from './yaml-edits.ts';

const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 };

/** What must be known before work can start, in the order in which it is asked. */
export function Questions({ place }: { place: Place }) {
  const { edits, open, setOpen } = useForm();
  const { family, service, familyPath } = place;
  const list = [...familyPath, 'intake_requirements'];
  const pathOf = (index: number) => [...list, index].join('/');
  const [dragged, setDragged] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  const rows = family.questions.flatMap((question, index) => (isAskedFor(question, service.id) ? index : []));
  const canEdit = edits.readOnly === null;
  /** Before or after the row that stands there now. */
  const move = (index: number, to: number | undefined) => {
    if (to === undefined || to === index) return;
    const all = family.questions.map((_, at) => at);
    const order = all.toSpliced(index, 1).toSpliced(to, 0, index);
    if (!changeFamilies(edits, (text) => withItems(text, list, order))) return;
    setOpen(null);
    setDragged((now) => (now === null ? null : to));
    setSaid(`${family.questions[index]?.label} is now ${rows.indexOf(to) + 1} of ${rows.length}.`);
  };
  const add = () => {
    const label = freeLabel(family.questions);
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
      <ul>
        {rows.map((index, at) => {
          const question = family.questions[index];
          if (!question) return null;
          return (
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
                <Details place={place} question={question} index={index} onGone={() => setOpen(null)} />
              )}
            </li>
          );
        })}
      </ul>
      <VisuallyHidden aria-live="polite">{said}</VisuallyHidden>
      {canEdit && (
        <Box>
          <Button variant="subtle" size="xs" leftSection={<IconPlus size={14} />} onClick={add}>
            Add a question
          </Button>
        </Box>
      )}
    </FaceRow>
  );
}

function freeLabel(questions: Question[]): string {
  const taken = questions.map(({ label }) => label);
  for (let count = 1; ; count += 1) {
    const label = count === 1 ? 'New question' : `New question ${count}`;
    if (!taken.includes(label)) return label;
  }
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

const kinds = [
  { value: 'name', label: 'Name' },
  { value: 'text', label: 'Text' },
  { value: 'choice', label: 'Choice' },
  { value: 'url', label: 'Link' },
  { value: 'date', label: 'Date' },
  { value: 'files', label: 'Files' },
];

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
        data={kinds.map((one) =>
          one.value === 'choice' && kind === 'choice' ? { ...one, label: capital(kindWords(question)) } : one,
        )}
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

const capital = (words: string) => words.replace(/^a (.)/, (_, first: string) => first.toUpperCase());

type DetailsProps = { place: Place; question: Question; index: number; onGone: () => void };

function Details({ place, question, index, onGone }: DetailsProps) {
  const { edits } = useForm();
  const { family, service, familyPath } = place;
  const list = [...familyPath, 'intake_requirements'];
  const path = [...list, index];
  const field = { path, entry: question.entry, labelled: true };
  const isNew = /^New question( \d+)?$/.test(question.label) && textIn(question.entry, 'hint') === '';
  useEffect(() => {
    if (isNew) focusField(`/${[...path, 'label'].join('/')}`);
    // oxlint-disable-next-line react/exhaustive-deps -- once, when it opens
  }, []);
  const isOnlyHere = family.services.every(({ id }) => id === service.id || !isAskedFor(question, id));
  const remove = () => {
    onGone();
    changeFamilies(edits, (text) =>
      isOnlyHere ? without(text, list, index) : askedFor(text, path, question.entry, place, service.id, false),
    );
  };
  return (
    <div className="stack-small question-details">
      <Words {...field} field="label" label="Label" />
      <Words {...field} field="hint" label="Hint" placeholder="One sentence of explanation" />
      <Words {...field} field="example" label="Example" placeholder="An answer as a customer might write it" />
      {question.kind === 'choice' && (
        <Lines {...field} field="choices" label="Choices" description="Two to twenty, one a line" rows={3} />
      )}
      <Words
        {...field}
        field="question"
        label="In a conversation"
        placeholder={`What can you tell me about “${question.label}”?`}
        optional
      />
      <Words
        {...field}
        field="brand"
        label="Suggested from the brand kit"
        placeholder="The label of a fact, such as Brand name"
        optional
      />
      <Lines {...field} field="also_called" label="Other names" description="One a line" />
      {family.services.length > 1 && <AskedFor place={place} question={question} path={path} />}
      {edits.readOnly === null && family.questions.length > 1 && (
        <Box>
          <Button variant="subtle" size="xs" color="bad" onClick={remove}>
            {isOnlyHere ? 'Remove the question' : `Do not ask for ${service.name}`}
          </Button>
        </Box>
      )}
    </div>
  );
}

const AskedFor = ({ place, question, path }: { place: Place; question: Question; path: Path }) => {
  const { edits } = useForm();
  const asked = place.family.services.filter(({ id }) => isAskedFor(question, id));
  return (
    <fieldset
      className="stack-small"
      data-field={[...path, 'only_for'].join('/')}
      tabIndex={-1}
      style={{ border: 0, padding: 0 }}
    >
      <legend className="small second">Asked for</legend>
      <div className="row">
        {place.family.services.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={asked.some((service) => service.id === id)}
            disabled={edits.readOnly !== null || (asked.length === 1 && asked[0]?.id === id)}
            onChange={({ currentTarget: { checked } }) =>
              changeFamilies(edits, (text) => askedFor(text, path, question.entry, place, id, checked))
            }
          />
        ))}
      </div>
    </fieldset>
  );
};

/** A list of those that are asked, or of those that are not, stays what it is. */
function askedFor(text: string, path: Path, entry: Entry, { family }: Place, id: string, on: boolean): string | null {
  const ids = family.services.map((service) => service.id);
  const [only, not] = [textsIn(entry, 'only_for'), textsIn(entry, 'not_for')];
  const hasOnly = Array.isArray(entry.only_for);
  const next = hasOnly
    ? on
      ? [...only, id]
      : only.filter((one) => one !== id)
    : on
      ? not.filter((one) => one !== id)
      : [...not, id];
  const isAll = hasOnly ? ids.every((one) => next.includes(one)) : next.length === 0;
  return put(text, [...path, hasOnly ? 'only_for' : 'not_for'], isAll ? (undefined as Value | undefined) : next);
}
