import type { CSSProperties, ReactNode } from 'react';
import { AccentField } from './accent-field.tsx';
import { FaceRow, FaceText } from './face-row.tsx';
import { HoursFields } from './hours-fields.tsx';
import { MarkFields } from './mark-fields.tsx';
import { FacePreview } from './face-preview.tsx';
import { listAt } from './studio-yaml.ts';
import type { StudioEdits } from './use-edits.ts';

type Props = { edits: StudioEdits; bar: ReactNode };

/** The common fields of `studio.yaml`. Its text stays as it is but for the fields that change. */
export function Face({ edits, bar }: Props) {
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
          <FaceText edits={edits} path={['support', 'url']} label="Link" placeholder="https://" isLink />
        </FaceRow>
        <FaceRow label="Links" description="At the foot of sign-in, catalog and review links">
          <FaceText edits={edits} path={['links', 'terms']} label="Terms" placeholder="https://" isLink />
          <FaceText edits={edits} path={['links', 'privacy']} label="Privacy" placeholder="https://" isLink />
          <FaceText edits={edits} path={['links', 'imprint']} label="Imprint" placeholder="https://" isLink />
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
