import { Button } from '@mantine/core';
import { useAddress } from '../../ui/page/address.ts';
import { Choice, changeFamilies, Hours, Lines, type Place, useForm, Words } from './catalog-fields.tsx';
import { reviewOf, reviewWords, without } from './catalog-words.ts';
import { FaceRow } from './face-row.tsx';
import { put } from './families.ts';
import { PictureButtons, pictureTypes, putPicture, usePictures } from './pictures.tsx';
import { filesOf } from './edits.ts';
import { Questions } from './questions.tsx';
import type { StudioAddress } from './spot.ts';

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
          <Hours {...numbers} field="revision_rounds" label="Rounds of changes" placeholder="2" optional />
          rounds of changes, each within
          <Hours {...numbers} field="revision_hours" label="Hours of a round" placeholder="any" optional />
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
  const [, setAddress] = useAddress<StudioAddress>();
  const { family, service, path, familyPath } = place;
  const others = family.services.filter(({ id }) => id !== service.id);
  /** A family with nothing to order is retired, too. */
  const retire = () => {
    const isLast = others.every(({ retired }) => retired);
    changeFamilies(
      edits,
      (text) => put(text, [...path, 'retired'], true),
      (text) => (isLast ? put(text, [...familyPath, 'retired'], true) : text),
    );
  };
  const offer = () =>
    changeFamilies(
      edits,
      (text) => put(text, [...path, 'retired'], undefined),
      (text) => put(text, [...familyPath, 'retired'], undefined),
    );
  const remove = () => {
    const list = others.length === 0 ? ['families'] : path.slice(0, -1);
    const index = Number((others.length === 0 ? familyPath : path).at(-1));
    changeFamilies(edits, (text) => without(text, list, index));
    setAddress({ service: undefined });
  };
  const isRetired = service.retired || family.retired;
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
          <Button
            variant="subtle"
            size="xs"
            {...(!isRetired && { color: 'bad' })}
            onClick={isRetired ? offer : isPublished ? retire : remove}
          >
            {isRetired ? 'Offer again' : isPublished ? 'Retire' : 'Remove'}
          </Button>
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
