import { Box, Button, Group, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '../../ui/look/icons.ts';
import type { ReactNode } from 'react';
import { accentFault, accentTokens, contrast, leastContrast, surfaces } from '../../../contract/studio/accent.ts';
import { FaceRow } from './face-row.tsx';
import { textAt } from './studio-yaml.ts';
import type { StudioEdits } from './use-edits.ts';

/** The accent of pages without one of their own. */
const usual = '#0b6b5d';
export const isColor = (text: string) => /^#[0-9a-fA-F]{6}$/.test(text);

/** The accent that the text has, if it is a color; else the usual one. */
export const accentOf = (text: string): string => {
  const accent = textAt(text, 'accent') ?? '';
  return isColor(accent) ? accent : usual;
};

export function AccentField({ edits }: { edits: StudioEdits }) {
  const text = edits.text('studio.yaml');
  const typed = textAt(text, 'accent');
  const accent = accentOf(text);
  const dark = accentTokens(accent).dark.accent;
  const before = accentOf(edits.publishedText('studio.yaml'));
  const set = (value: string) => edits.setField(['accent'], value);
  return (
    <FaceRow label="Accent" description="One color: buttons, selection, links. Statuses keep theirs.">
      <div className="row">
        {edits.readOnly === null ? <AccentInput typed={typed} accent={accent} set={set} /> : <Swatch color={accent} />}
        {before !== accent && (
          <span className="second row">
            was <Swatch color={before} />
          </span>
        )}
      </div>
      <ul>
        <Contrast ink="#ffffff" ground={accent}>
          White on it, in buttons
        </Contrast>
        <Contrast ink={accent} ground={surfaces.light[0]}>
          As text on the page
        </Contrast>
        <Contrast ink={dark} ground={surfaces.dark[0]}>
          In the dark as <span className="mono">{dark}</span>, made from it
        </Contrast>
      </ul>
      <Verdict accent={accent} set={edits.readOnly === null ? set : null} />
    </FaceRow>
  );
}

type InputProps = { typed: string | undefined; accent: string; set: (value: string) => void };

const AccentInput = ({ typed, accent, set }: InputProps) => (
  <TextInput
    w={190}
    aria-label="Accent"
    styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    placeholder={usual}
    disabled={typed === undefined}
    value={typed ?? ''}
    maxLength={7}
    error={typed && !isColor(typed) ? 'Write a color such as #6d3a63.' : null}
    onChange={({ currentTarget: { value } }) => set(value.trim())}
    leftSection={
      <input
        type="color"
        className="accent-choice"
        aria-label="Choose the accent"
        disabled={typed === undefined}
        value={accent}
        onChange={({ currentTarget: { value } }) => set(value)}
      />
    }
  />
);

const Swatch = ({ color }: { color: string }) => (
  <span className="row" style={{ gap: 6 }}>
    <Box component="span" w={14} h={14} bdrs={4} bg={color} />
    <span className="mono">{color}</span>
  </span>
);

function Contrast({ ink, ground, children }: { ink: string; ground: string; children: ReactNode }) {
  const ratio = contrast(ink, ground);
  const passes = ratio >= leastContrast;
  const Mark = passes ? IconCircleCheck : IconAlertTriangle;
  return (
    <li>
      <Group gap={12} py={4} wrap="nowrap" fz={13.5}>
        <Box
          w={44}
          flex="none"
          lh="24px"
          ta="center"
          bd="1px solid var(--line)"
          bdrs={5}
          fz={13}
          fw={600}
          c={ink}
          bg={ground}
          aria-hidden
        >
          Aa
        </Box>
        <span>{children}</span>
        <span className={passes ? 'status good numbers push' : 'status bad numbers push'}>
          <Mark size={14} aria-hidden /> {(Math.floor(ratio * 10) / 10).toFixed(1)} : 1
        </span>
      </Group>
    </li>
  );
}

function Verdict({ accent, set }: { accent: string; set: ((value: string) => void) | null }) {
  const fault = accentFault(accent);
  if (!fault)
    return (
      <p className="small second">
        Below {leastContrast} : 1 it cannot be published; the nearest darker shade is offered.
      </p>
    );
  return (
    <p className="small bad row" role="status">
      Below {leastContrast} : 1 it cannot be published. The nearest shade that can: <Swatch color={fault.nearest} />
      {set && (
        <Button variant="default" size="xs" h={28} onClick={() => set(fault.nearest)}>
          Use {fault.nearest}
        </Button>
      )}
    </p>
  );
}
