import { Button, Checkbox } from '@mantine/core';
import { useEffect } from 'react';
import { changeFamilies, Lines, type Place, useForm, Words } from './catalog-fields.tsx';
import { isAskedFor, put, type Question, textIn, textsIn } from './families.ts';
import type { Entry } from '../../../contract/studio/yaml-written.ts';
import { focusField } from './spot.ts';
import type { Path } from '../../../contract/studio/yaml-edits.ts';
import { without } from '../../../contract/studio/yaml-lists.ts';

type DetailsProps = {
  place: Place;
  question: Question;
  index: number;
  onGone: () => void;
  onStep: (step: number) => void;
};

/** All of a question, when its row is open. */
export function QuestionDetails({ place, question, index, onGone, onStep }: DetailsProps) {
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
        <div className="row">
          <Button variant="subtle" size="xs" onClick={() => onStep(-1)}>
            Move up
          </Button>
          <Button variant="subtle" size="xs" onClick={() => onStep(1)}>
            Move down
          </Button>
          <Button variant="subtle" size="xs" color="bad" onClick={remove}>
            {isOnlyHere ? 'Remove the question' : `Do not ask for ${service.name}`}
          </Button>
        </div>
      )}
    </div>
  );
}

const AskedFor = ({ place, question, path }: { place: Place; question: Question; path: Path }) => {
  const { edits } = useForm();
  const services = place.family.services.filter(({ id }) => isAskedFor(question, id));
  return (
    <fieldset
      className="stack-small"
      data-field={[...path, 'only_for'].join('/')}
      tabIndex={-1}
      style={{ border: 0, padding: 0 }}
    >
      <legend className="small second">Asked for. A change holds for each of them.</legend>
      <div className="row">
        {place.family.services.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={services.some((service) => service.id === id)}
            disabled={edits.readOnly !== null || (services.length === 1 && services[0]?.id === id)}
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
      : only.filter((other) => other !== id)
    : on
      ? not.filter((other) => other !== id)
      : [...not, id];
  const isAll = hasOnly ? ids.every((other) => next.includes(other)) : next.length === 0;
  return put(text, [...path, hasOnly ? 'only_for' : 'not_for'], isAll ? undefined : next);
}
