import { Select } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import { weekdays } from '../../../contract/studio/business-time.ts';
import { AccentField } from './accent-field.tsx';
import { FaceList, FaceRow, FaceText } from './face-row.tsx';
import { MarkFields } from './mark-fields.tsx';
import { FacePreview } from './face-preview.tsx';
import { listAt, textAt } from './studio-yaml.ts';
import type { StudioEdits } from './use-edits.ts';

/** The common fields of `studio.yaml`. Its text stays as it is but for the fields that change. */
export function Face({ edits, bar }: { edits: StudioEdits; bar: ReactNode }) {
  const hasOwnShape = listAt(edits.text('studio.yaml'), 'anything') === undefined;
  return (
    <div className="columns studio-columns" style={{ '--beside': '432px' } as CSSProperties}>
      <section className="panel" aria-label="Face">
        {hasOwnShape && (
          <p className="note turn" style={{ margin: 16 }}>
            studio.yaml is written in a way that this form cannot read. Change its text under Catalog.
          </p>
        )}
        <FaceRow label="Name" description="On pages, mails and review links">
          <FaceText edits={edits} path={['name']} label="Name" placeholder="Atelier" maxLength={60} />
        </FaceRow>
        <FaceRow label="Tagline" description="One sentence on the catalog page">
          <FaceText edits={edits} path={['tagline']} label="Tagline" maxLength={140} />
        </FaceRow>
        <MarkFields edits={edits} />
        <AccentField edits={edits} />
        <FaceRow label="Support" description="Where customers ask for help, on error pages and in mails">
          <FaceText
            edits={edits}
            path={['support', 'email']}
            label="Address"
            placeholder="help@studio.example"
            maxLength={254}
          />
          <FaceText edits={edits} path={['support', 'url']} label="Link" isLink />
        </FaceRow>
        <FaceRow label="Links" description="At the foot of sign-in, catalog and review links">
          <FaceText edits={edits} path={['links', 'terms']} label="Terms" isLink />
          <FaceText edits={edits} path={['links', 'privacy']} label="Privacy" isLink />
          <FaceText edits={edits} path={['links', 'imprint']} label="Imprint" isLink />
        </FaceRow>
        <FaceRow label="Mail footer" description="The last line of each mail">
          <FaceText edits={edits} path={['mail_footer']} label="Mail footer" maxLength={300} />
        </FaceRow>
        <HoursFields edits={edits} />
        {bar}
      </section>
      <FacePreview edits={edits} />
    </div>
  );
}

const days: Record<(typeof weekdays)[number], string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

/** Due dates count these hours only. */
const HoursFields = ({ edits }: { edits: StudioEdits }) => (
  <>
    <FaceRow label="Time zone" description="Of the hours and holidays">
      <TimeZone edits={edits} />
    </FaceRow>
    <FaceRow
      label="Hours"
      description="Due dates count these hours. A day without hours is off; with none at all, every hour counts."
    >
      {weekdays.map((day) => (
        <FaceList
          key={day}
          edits={edits}
          path={['hours', day]}
          label={days[day]}
          placeholder={day === 'mon' ? '09:00-12:30, 13:30-18:00' : 'off'}
        />
      ))}
    </FaceRow>
    <FaceRow label="Holidays" description="Days off, with commas between them">
      <FaceList edits={edits} path={['holidays']} label="Holidays" placeholder="2026-12-25, 2027-01-01" />
    </FaceRow>
  </>
);

function TimeZone({ edits }: { edits: StudioEdits }) {
  const zone = textAt(edits.text('studio.yaml'), 'time_zone');
  if (edits.readOnly !== null || zone === undefined)
    return <FaceText edits={edits} path={['time_zone']} label="Time zone" />;
  const zones = Intl.supportedValuesOf('timeZone');
  return (
    <Select
      aria-label="Time zone"
      placeholder="UTC"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Remove the time zone' }}
      limit={50}
      nothingFoundMessage="No time zone has this name."
      data={zone === '' || zones.includes(zone) ? zones : [zone, ...zones]}
      value={zone === '' ? null : zone}
      onChange={(next) => edits.setField(['time_zone'], next ?? '')}
    />
  );
}
