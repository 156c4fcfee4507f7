import { ActionIcon, Button, NativeSelect, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconPlus } from '../../ui/look/icons.ts';
import { type CSSProperties, type ReactNode, useEffect, useMemo, useState } from 'react';
import { useAddress } from '../../ui/page/address.ts';
import { FormProvider, type Place } from './catalog-fields.tsx';
import { CustomerView, NotPublished } from './catalog-beside.tsx';
import { FamilyForm } from './family-form.tsx';
import { familiesIn, type Family, isAskedFor } from './families.ts';
import { listChanges } from './in-words.tsx';
import { counted } from '../../ui/job/words.ts';
import { NewService, type Draft } from './new-service.tsx';
import { PublishBar } from './publish-bar.tsx';
import { ServiceForm } from './service-form.tsx';
import { focusField, type Spot, type StudioAddress } from './spot.ts';
import type { StudioEdits } from './use-edits.ts';

type Props = { edits: StudioEdits; spot: Spot | null; goTo: (spot: Spot) => void; onSpot: () => void };

/** `families.yaml` as a form: each field changes its place in the text, which is the one truth. */
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
  const place = placeOf(families, inAddress);
  useEffect(() => {
    if (!spot?.path) return;
    const question = /^\/(families\/\d+\/intake_requirements\/\d+)\//.exec(spot.path)?.[1];
    const wants = serviceAt(families, spot.path, inAddress);
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
  const naming = (path: string) => nameOf(families, path);
  const say = counted(changes.length, 'change');
  return (
    <FormProvider value={form}>
      <div className="catalog-form">
        <Services {...{ families, place, changed }} canEdit={edits.readOnly === null} onNew={setDraft} />
        <div className="columns studio-columns" style={{ '--beside': '292px' } as CSSProperties}>
          <section className="panel" aria-label={place?.service?.name || place?.family.name || 'Catalog'}>
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

type ListProps = {
  families: Family[];
  place: Chosen | null;
  changed: ReadonlySet<string>;
  canEdit: boolean;
  onNew: (draft: Draft) => void;
};

/** Families with their services, as a choice on a phone. */
function Services({ families, place, changed, canEdit, onNew }: ListProps) {
  const [, setAddress] = useAddress<StudioAddress>();
  const present = place ? (place.service ? `${place.family.id}/${place.service.id}` : place.family.id) : '';
  const choose = (service: string) => setAddress({ service });
  const item = { present, changed, onChoose: choose };
  const newFamily = canEdit && (
    <Button variant="subtle" size="xs" leftSection={<IconPlus size={14} />} onClick={() => onNew({ family: null })}>
      New family
    </Button>
  );
  return (
    <>
      <nav className="stack wide-only" aria-label="Families and services">
        {families.map((family) => (
          <div key={family.id}>
            <div className="row" style={{ flexWrap: 'nowrap', gap: 0 }}>
              <ServiceItem {...item} id={family.id} isRetired={family.retired}>
                <span className="small">{family.name || family.id}</span>
              </ServiceItem>
              {canEdit && (
                <ActionIcon aria-label={`New service in ${family.name || family.id}`} onClick={() => onNew({ family })}>
                  <IconPlus size={16} />
                </ActionIcon>
              )}
            </div>
            <ul>
              {family.services.map((service) => (
                <li key={service.id}>
                  <ServiceItem
                    {...item}
                    id={`${family.id}/${service.id}`}
                    isRetired={family.retired || service.retired}
                  >
                    <span className={family.retired || service.retired ? 'third' : 'ink'}>
                      {service.name || service.id}
                    </span>
                  </ServiceItem>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <span>{newFamily}</span>
      </nav>
      <div className="phone-only stack-small">
        <NativeSelect
          aria-label="Family or service"
          value={present}
          onChange={({ currentTarget: { value } }) => choose(value)}
          data={families.flatMap((family) => [
            { value: family.id, label: family.name || family.id },
            ...family.services.map((service) => ({
              value: `${family.id}/${service.id}`,
              label: `${family.name} · ${service.name || service.id}${changed.has(`${family.id}/${service.id}`) ? ' (changed)' : ''}`,
            })),
          ])}
        />
        {canEdit && place && (
          <span className="row">
            <Button
              variant="subtle"
              size="xs"
              leftSection={<IconPlus size={14} />}
              onClick={() => onNew({ family: place.family })}
            >
              New service
            </Button>
            {newFamily}
          </span>
        )}
      </div>
    </>
  );
}

type ItemProps = {
  id: string;
  present: string;
  changed: ReadonlySet<string>;
  isRetired: boolean;
  onChoose: (id: string) => void;
  children: ReactNode;
};

const ServiceItem = ({ id, present, changed, isRetired, onChoose, children }: ItemProps) => (
  <UnstyledButton
    className={id === present ? 'nav-link active' : 'nav-link'}
    w="100%"
    aria-current={id === present || undefined}
    onClick={() => onChoose(id)}
  >
    {children}
    {isRetired && <span className="third small push">retired</span>}
    {changed.has(id) && (
      <span className={isRetired ? 'turn' : 'turn push'}>
        <span aria-hidden>●</span>
        <VisuallyHidden>changed</VisuallyHidden>
      </span>
    )}
  </UnstyledButton>
);
