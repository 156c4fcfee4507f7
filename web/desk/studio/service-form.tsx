import { Button } from '@mantine/core';
import { Choice, changeFamilies, Hours, Lines, OfferButton, type Place, useForm, Words } from './catalog-fields.tsx';
import { reviewOf, reviewWords } from './catalog-words.ts';
import { FaceRow } from './face-row.tsx';
import { put, withRetired } from './families.ts';
import { PictureButtons, pictureTypes, putPicture, usePictures } from './pictures.tsx';
import { filesOf } from './edits.ts';
import { Questions } from './questions.tsx';

/** One service, in the order in which a customer meets it. */
export function ServiceForm({ place, onDuplicate }: { place: Place; onDuplicate: () => void }) {
  const { published } = useForm();
  const { family, service, path } = place;
  const was = published.find(({ id }) => id === family.id)?.services.find(({ id }) => id === service.id);
  const { entry } = service;
  const field = { path, entry };
  const numbers = { ...field, published: was?.entry };
  return (
    <>
      <Head place={place} isPublished={was !== undefined} onDuplicate={onDuplicate} />
      <FaceRow label="Shown as" description="On the catalog and the order page.">
        <div className="service-shown">
          <div className="stack-small">
            <Words {...field} field="name" label="Name" />
            <Words {...field} field="description" label="Description" placeholder="What the studio makes" rows={3} />
          </div>
          <Picture place={place} />
        </div>
        <Words
          {...field}
          field="example_words"
          label="What a customer might write"
          placeholder="What a customer might write who needs it"
          rows={2}
          optional
        />
      </FaceRow>
      <FaceRow label="Times" description="">
        <div className="row">
          First delivery within
          <Hours {...numbers} field="turnaround_hours" label="Hours to the first delivery" />
          hours
        </div>
        <div className="row">
          <Hours {...numbers} field="revision_rounds" label="Rounds of changes" optional />
          rounds of changes, each within
          <Hours {...numbers} field="revision_hours" label="Hours of a round" optional />
          hours
        </div>
      </FaceRow>
      <FaceRow label="Review" description="">
        <div className="row">
          <Review place={place} />
          then the customer, for
          <Hours {...numbers} field="auto_approval_hours" label="Hours of the customer's review" />
          hours
        </div>
      </FaceRow>
      <FaceRow label="Checklist" description="Ticked before the work is submitted.">
        <Lines {...field} field="checklist" label="Checklist" labelled={false} />
      </FaceRow>
      <Questions place={place} />
    </>
  );
}

function Head({ place, isPublished, onDuplicate }: { place: Place; isPublished: boolean; onDuplicate: () => void }) {
  const { edits } = useForm();
  const { family, service } = place;
  const isRetired = service.retired || family.retired;
  const id = `${family.id}/${service.id}`;
  return (
    <div className="panel-head">
      <h2>{service.name || 'New service'}</h2>
      <span className="mono second">
        {family.id}.{service.id}
      </span>
      {isRetired && <span className="tag">retired</span>}
      {edits.readOnly === null && (
        <span className="row push" style={{ gap: 2 }}>
          <Button variant="subtle" size="xs" onClick={onDuplicate}>
            Duplicate
          </Button>
          <OfferButton
            id={id}
            isRetired={isRetired}
            isPublished={isPublished}
            onRetire={(retired) => changeFamilies(edits, (text) => withRetired(text, id, retired))}
          />
        </span>
      )}
    </div>
  );
}

/** Where the picture of a service is; null without one. */
export function usePictureOf({ family, service }: Pick<Place, 'family' | 'service'>) {
  const { edits } = useForm();
  const addressOf = usePictures(edits);
  const stem = `pictures/${family.id}/${service.id}`;
  const file = filesOf(edits.newest.documents, edits.edits).find((name) => name.startsWith(`${stem}.`)) ?? null;
  return { stem, file, address: file && addressOf(file) };
}

function Picture({ place }: { place: Place }) {
  const { edits } = useForm();
  const { stem, file, address } = usePictureOf(place);
  const problems = edits.check.result?.problems.filter((problem) => problem.file === file) ?? [];
  return (
    <figure className="stack-small" style={{ gap: 4, maxWidth: 150 }} aria-label="Picture">
      {address ? <img className="picture-face" src={address} alt="" /> : <span className="picture-face" />}
      {problems.map(({ reason }) => (
        <p key={reason} className="small bad">
          The picture {reason}.
        </p>
      ))}
      {edits.readOnly === null && (
        <PictureButtons
          what="the picture"
          accept={pictureTypes}
          onChoose={putPicture(edits, stem, file)}
          onRemove={file === null ? null : () => edits.edit([file, 'removed'])}
          tight
        />
      )}
    </figure>
  );
}

function Review({ place: { service, path } }: { place: Place }) {
  const { edits } = useForm();
  const set = (review: string) =>
    changeFamilies(
      edits,
      (text) => put(text, [...path, 'reviewer'], review === 'other' ? 'other' : undefined),
      (text) => put(text, [...path, 'quality_review'], review === 'none' ? false : undefined),
    );
  const data = Object.entries(reviewWords).map(([value, label]) => ({ value, label }));
  return (
    <Choice
      label="Who reviews the work first"
      name={[...path, 'reviewer'].join('/')}
      value={reviewOf(service.entry)}
      data={data}
      onChange={set}
    />
  );
}
