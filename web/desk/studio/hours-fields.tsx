import { Select } from '@mantine/core';
import { weekdays } from '../../../contract/studio/business-time.ts';
import { FaceList, FaceRow, FaceText } from './face-row.tsx';
import { textAt, withText } from './studio-yaml.ts';
import type { StudioEdits } from './use-edits.ts';

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
export const HoursFields = ({ edits }: { edits: StudioEdits }) => (
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
  const text = edits.text('studio.yaml');
  const zone = textAt(text, 'time_zone');
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
      onChange={(next) => edits.edit(['studio.yaml', { text: withText(text, ['time_zone'], next ?? '') }])}
    />
  );
}
