import { type CSSProperties, useEffect, useMemo, useState } from 'react';
import { useAddress } from '../../ui/page/address.ts';
import { FormProvider, type Place } from './catalog-fields.tsx';
import { CustomerView, NotPublished } from './catalog-beside.tsx';
import { CatalogNav } from './catalog-nav.tsx';
import { FamilyForm } from './family-form.tsx';
import { familiesIn, type Family, isAskedFor } from './families.ts';
import { fileTypesFile } from './edits.ts';
import { fileTypesId, typeLabel, typesIn } from './file-types.ts';
import { FileTypes } from './file-types-form.tsx';
import { listChanges } from './in-words.tsx';
import { counted } from '../../ui/job/words.ts';
import { NewService, type Draft } from './new-service.tsx';
import { PublishBar } from './publish-bar.tsx';
import { ServiceForm } from './service-form.tsx';
import { focusField, type Spot, type StudioAddress } from './spot.ts';
import type { StudioEdits } from './use-edits.ts';

type Props = { edits: StudioEdits; spot: Spot | null; goTo: (spot: Spot) => void; onSpot: () => void };

/** Families and types of files as a form: a field changes its place in the text, which is the one truth. */
export function CatalogForm({ edits, ...props }: Props) {
  const [text, publishedText] = [edits.text('families.yaml'), edits.publishedText('families.yaml')];
  const families = useMemo(() => familiesIn(text), [text]);
  const published = useMemo(() => familiesIn(publishedText) ?? [], [publishedText]);
  if (families) return <Form edits={edits} families={families} published={published} {...props} />;
  return (
    <section className="panel" aria-label="Catalog">
      <p className="note turn" style={{ margin: 16 }}>
        families.yaml is written in a way that this form cannot read. Change its YAML.
      </p>
      <PublishBar edits={edits} goTo={props.goTo} />
    </section>
  );
}

type FormProps = Props & { families: Family[]; published: Family[] };

function Form({ edits, families, published, spot, goTo, onSpot }: FormProps) {
  const [{ service: inAddress = '' }, setAddress] = useAddress<StudioAddress>();
  const [draft, setDraft] = useState<Draft | null>(null);
  const [open, setOpen] = useState<string | null>(null);
  const isTypes = inAddress === fileTypesId;
  const place = isTypes ? null : placeOf(families, inAddress);
  const present = place?.service ? `${place.family.id}/${place.service.id}` : (place?.family.id ?? inAddress);
  useEffect(() => {
    if (!spot?.path) return;
    const question = /^\/(families\/\d+\/intake_requirements\/\d+)\//.exec(spot.path)?.[1];
    const wants = spot.file === fileTypesFile ? fileTypesId : serviceAt(families, spot.path, inAddress);
    if (wants !== null && wants !== inAddress) setAddress({ service: wants });
    else if (question && question !== open) setOpen(question);
    else if (focusField(spot.path)) onSpot();
    // The form has no such field.
    else goTo({ ...spot, path: null });
  }, [spot, families, inAddress, setAddress, open, onSpot, goTo]);
  const services = edits.check.result?.services;
  const changes = useMemo(
    () => listChanges(edits, services ?? [], published, families),
    // oxlint-disable-next-line react/exhaustive-deps -- the rest of `edits` is new each time
    [edits.edits, edits.newest, services, published, families],
  );
  const changed = new Set(changes.map(({ id }) => id));
  const form = { edits, families, published, open, setOpen };
  const naming = (path: string, file: string) =>
    file === fileTypesFile ? typeLabel(typesIn(edits.text(file)) ?? [], path) : nameOf(families, path);
  const say = counted(changes.length, 'change');
  return (
    <FormProvider value={form}>
      <div className="catalog-form">
        <CatalogNav {...{ families, present, changed }} canEdit={edits.readOnly === null} onNew={setDraft} />
        <div className="columns studio-columns" style={{ '--beside': '292px' } as CSSProperties}>
          <section className="panel" aria-label={place?.service?.name || place?.family.name || 'Catalog'}>
            {isTypes && <FileTypes />}
            {place?.service ? (
              <ServiceForm
                key={inAddress}
                place={place as Place}
                onDuplicate={() => setDraft({ family: place.family, copyOf: place.service })}
              />
            ) : (
              place && <FamilyForm key={inAddress} family={place.family} path={place.familyPath} />
            )}
            <PublishBar edits={edits} goTo={goTo} naming={naming} {...(changes.length > 0 && { say })} />
          </section>
          <div className="stack">
            {changes.length > 0 && <NotPublished changes={changes} canEdit={edits.readOnly === null} />}
            {place?.service && <CustomerView place={place as Place} />}
          </div>
        </div>
      </div>
      {draft && <NewService draft={draft} onClose={() => setDraft(null)} />}
    </FormProvider>
  );
}

type Chosen = Omit<Place, 'service' | 'path'> & { service: Place['service'] | null; path: Place['path'] };

/** What `family` or `family/option` names; else the first service. */
function placeOf(families: Family[], id: string): Chosen | null {
  const [familyId, serviceId] = id.split('/');
  const index = Math.max(
    0,
    families.findIndex((family) => family.id === familyId),
  );
  const family = families[index];
  if (!family) return null;
  const familyPath = ['families', index];
  const isFamily = family.id === id;
  const serviceIndex = family.services.findIndex((service) => service.id === serviceId);
  const at = isFamily ? -1 : Math.max(0, serviceIndex);
  return { family, service: family.services[at] ?? null, familyPath, path: [...familyPath, 'options', at] };
}

/** What a path such as `/families/0/options/1/name` leads to. */
function partsOf(families: Family[], path: string) {
  const [, , at, list = '', index, field] = path.split('/');
  const family = families[Number(at)];
  const service = list === 'options' ? family?.services[Number(index)] : undefined;
  const question = list === 'intake_requirements' ? family?.questions[Number(index)] : undefined;
  return { family, service, question, field: (service ?? question) ? field : list };
}

/** The service or family that shows the field at this path; of those with a question, the present one. */
function serviceAt(families: Family[], path: string, present: string): string | null {
  const { family, service, question } = partsOf(families, path);
  if (!family) return null;
  const services = question ? family.services.filter(({ id }) => isAskedFor(question, id)) : [];
  const shows = service ?? services.find(({ id }) => present === `${family.id}/${id}`) ?? services[0];
  return shows ? `${family.id}/${shows.id}` : family.id;
}

const plain = (field: string | undefined) => field?.replaceAll('_', ' ') ?? '';

/** "Logo: turnaround hours". */
function nameOf(families: Family[], path: string): string | null {
  const { family, service, question, field } = partsOf(families, path);
  if (!family) return null;
  const { name, id } = service ?? family;
  const what = `${question ? `“${question.label}” ` : ''}${plain(field)}`.trim();
  return [name || id, what].filter(Boolean).join(': ');
}
