import { changeFamilies, Lines, OfferButton, useForm, Words } from './catalog-fields.tsx';
import { FaceRow } from './face-row.tsx';
import { type Family, put } from './families.ts';
import type { Path } from '../../../contract/studio/yaml-edits.ts';

/** What the services of a family share. */
export function FamilyForm({ family, path }: { family: Family; path: Path }) {
  const { edits, published } = useForm();
  const field = { path, entry: family.entry };
  const isPublished = published.some(({ id }) => id === family.id);
  const retire = (retired: boolean) =>
    changeFamilies(edits, (text) => put(text, [...path, 'retired'], retired || undefined));
  return (
    <>
      <div className="panel-head">
        <h2>{family.name || 'New family'}</h2>
        <span className="mono second">{family.id}</span>
        {family.retired && <span className="tag">retired</span>}
        {edits.readOnly === null && (
          <span className="push">
            <OfferButton id={family.id} isRetired={family.retired} isPublished={isPublished} onRetire={retire} />
          </span>
        )}
      </div>
      <FaceRow label="Shown as" description="On the catalog, above its services.">
        <Words {...field} field="name" label="Name" />
        <Words {...field} field="description" label="Description" placeholder="What the family is for" rows={2} />
      </FaceRow>
      <FaceRow label="What the studio checks" description="Before work is delivered, one a line.">
        <Lines {...field} field="quality_signals" label="What the studio checks" labelled={false} rows={3} />
      </FaceRow>
    </>
  );
}
