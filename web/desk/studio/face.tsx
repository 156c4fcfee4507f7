import { Box, Group, SegmentedControl, Select } from '@mantine/core';
import { type CSSProperties, type ReactNode, useState } from 'react';
import { accentTokens } from '../../../contract/studio/accent.ts';
import { weekdays } from '../../../contract/studio/business-time.ts';
import { defaultName } from '../../../contract/studio/plain-studio.ts';
import { MarkOfAtelier } from '../../ui/shell/mark.tsx';
import { AccentField, accentOf } from './accent-field.tsx';
import { dayName } from './face-fields.ts';
import { FaceList, FaceRow, FaceText } from './face-row.tsx';
import { MarkFields, usePictures } from './pictures.tsx';
import { listAt, textAt } from './studio-yaml.ts';
import { problemAt, type StudioEdits } from './use-edits.ts';

/** The common fields of `studio.yaml`. Its text stays as it is but for the fields that change. */
export function Face({ edits, bar }: { edits: StudioEdits; bar: ReactNode }) {
  const hasOwnShape = listAt(edits.text('studio.yaml'), 'anything') === undefined;
  return (
    <div className="columns studio-columns" style={{ '--beside': '432px' } as CSSProperties}>
      <section className="panel" aria-label="Face">
        {hasOwnShape && (
          <p className="note turn" style={{ margin: 16 }}>
            studio.yaml is written in a way that this form cannot read. Change its YAML under Catalog.
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
          label={dayName(day)}
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
  const hasHours = weekdays.some((day) => (listAt(edits.text('studio.yaml'), 'hours', day) ?? []).length > 0);
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')];
  return (
    <Select
      aria-label="Time zone"
      data-field="time_zone"
      placeholder="Choose the time zone of the hours"
      error={(zone === '' && hasHours && 'Hours need a time zone.') || problemAt(edits, 'studio.yaml', ['time_zone'])}
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

type Scheme = 'light' | 'dark';
type Shown = { name: string; mark: string | null; at: (...path: [string, string?]) => string };

/** The face as it is typed, on the sign-in page and in a mail. */
function FacePreview({ edits }: { edits: StudioEdits }) {
  const [scheme, setScheme] = useState<Scheme>('light');
  const pictures = usePictures(edits);
  const text = edits.text('studio.yaml');
  const at = (...path: [string, string?]) => textAt(text, ...path) ?? '';
  const dark = scheme === 'dark' ? pictures(at('mark_dark')) : null;
  const shown: Shown = { name: at('name') || defaultName, mark: dark ?? pictures(at('mark')), at };
  const tokens = Object.entries(accentTokens(accentOf(text))[scheme]);
  const style = Object.fromEntries(tokens.map(([name, color]) => [`--${name}`, color])) as CSSProperties;
  return (
    <section className="panel face-preview" aria-label="What customers see">
      <div className="panel-head">
        <h2>What customers see</h2>
        <SegmentedControl
          className="push"
          aria-label="Scheme of the preview"
          data={[
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
          value={scheme}
          onChange={setScheme}
        />
      </div>
      <Box className="stack-small" p={16} bg="var(--sunken)" style={{ gap: 10 }}>
        <span className="small second">Sign-in page</span>
        <Box
          className="panel stack"
          data-look={scheme}
          mb={8}
          p="24px 16px"
          ta="center"
          bg="var(--page)"
          c="var(--ink)"
          style={{ ...style, gap: 18, alignItems: 'center' }}
        >
          <SignInPage {...shown} />
        </Box>
        <span className="small second">Mail</span>
        <Box className="panel" data-look="light" fz={13} c="var(--ink)" style={{ '--accent': accentOf(text) }}>
          <Mail {...shown} />
        </Box>
      </Box>
    </section>
  );
}

const whole = { flex: 'none', objectFit: 'contain' } as const;

const Brand = ({ name, mark }: Pick<Shown, 'name' | 'mark'>) => (
  <Group gap={10} wrap="nowrap" maw="100%" fz={15} fw={600}>
    {mark ? <img src={mark} width={24} height={24} alt="" style={whole} /> : <MarkOfAtelier size={24} />}
    <span className="breaks">{name}</span>
  </Group>
);

const SignInPage = ({ name, mark, at }: Shown) => (
  <>
    <Brand name={name} mark={mark} />
    <Box className="panel stack-small" w="100%" maw={248} p={18} ta="left" style={{ gap: 10 }}>
      <strong>Sign in</strong>
      <span className="shown-input">E-mail</span>
      <span className="shown-input">Password</span>
      <span className="shown-button">Sign in</span>
    </Box>
    <span className="small second">{linksOf(at).join(' · ')}</span>
  </>
);

const linksOf = (at: Shown['at']): string[] => [
  ...(at('support', 'url') || at('support', 'email') ? ['Help'] : []),
  ...(at('links', 'terms') ? ['Terms'] : []),
  ...(at('links', 'privacy') ? ['Privacy'] : []),
  ...(at('links', 'imprint') ? ['Imprint'] : []),
  ...(at('name') && at('name') !== defaultName ? ['Runs on Atelier'] : []),
];

const Mail = ({ name, at }: Shown) => (
  <>
    <Box component="p" className="breaks" p="12px 16px" style={{ borderBottom: '1px solid var(--line)' }}>
      <strong>{name}</strong>
      <br />
      Ready for your review: Logo for a neighbourhood bakery
    </Box>
    <Box
      className="stack-small"
      p={16}
      bdrs="0 0 10px 10px"
      bg="var(--page)"
      style={{ alignItems: 'flex-start', gap: 12 }}
    >
      <strong className="breaks">{name}</strong>
      <p>The studio has delivered “Logo for a neighbourhood bakery”. Look at it and approve it, or ask for changes.</p>
      <span className="shown-button" style={{ color: '#ffffff' }}>
        Look at the work
      </span>
      <p className="small second breaks">
        {[at('support', 'email'), ...linksOf(at).filter((word) => word !== 'Runs on Atelier')]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {at('mail_footer') && <p className="small second breaks">{at('mail_footer')}</p>}
    </Box>
  </>
);
