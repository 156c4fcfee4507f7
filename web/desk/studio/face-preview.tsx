import { Box, Group, SegmentedControl } from '@mantine/core';
import { type CSSProperties, useState } from 'react';
import { accentTokens } from '../../../contract/studio/accent.ts';
import { defaultName } from '../../../contract/studio/plain-studio.ts';
import { MarkOfAtelier } from '../../ui/shell/mark.tsx';
import { accentOf } from './accent-field.tsx';
import { usePictures } from './pictures.tsx';
import { textAt } from './studio-yaml.ts';
import type { StudioEdits } from './use-edits.ts';

type Scheme = 'light' | 'dark';
type Shown = { name: string; mark: string | null; at: (...path: [string, string?]) => string };

/** The face as it is typed, on the sign-in page and in a mail. */
export function FacePreview({ edits }: { edits: StudioEdits }) {
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
