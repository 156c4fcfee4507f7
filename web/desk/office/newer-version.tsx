import { Button, FileButton } from '@mantine/core';
import { useState } from 'react';
import type { DeskHealth } from '../../app/api.ts';
import { Panel } from '../../ui/page/page.tsx';
import { FindingLine } from './finding-line.tsx';
import { compareRelease, readRelease, type Release } from './release.ts';

const words =
  'Each release has a file that ends in .release.json. Choose it, and this page says what that version needs here. Nothing is sent.';

/** What a release that an owner chooses would need here. The file stays in the browser. */
export function NewerVersion({ health }: { health: DeskHealth }) {
  const [release, setRelease] = useState<Release | string | null>(null);
  const choose = async (file: File | null) => file && setRelease(readRelease(await file.text()));
  const button = (
    <FileButton accept=".json,application/json" onChange={(file) => void choose(file)}>
      {(props) => (
        <Button {...props} className="push" variant="default" size="xs">
          Choose its file
        </Button>
      )}
    </FileButton>
  );
  return (
    <Panel title="A newer version" beside={button}>
      {release === null ? (
        <p className="second">{words}</p>
      ) : typeof release === 'string' ? (
        <p className="note bad" role="alert">
          {release}
        </p>
      ) : (
        <Needs release={release} health={health} />
      )}
    </Panel>
  );
}

const Needs = ({ release, health }: { release: Release; health: DeskHealth }) => (
  <div className="stack" role="status">
    <strong>
      Atelier {release.version}, of {release.released_at}
    </strong>
    <ul className="stack-small">
      {compareRelease(release, health).map((verdict) => (
        <FindingLine key={verdict.sentence} {...verdict} />
      ))}
    </ul>
    {release.what_to_do.length > 0 && <strong>What to do</strong>}
    <ul className="stack-small" style={{ listStyle: 'disc', paddingLeft: 18 }}>
      {release.what_to_do.map((step) => (
        <li key={step} className="breaks">
          {step}
        </li>
      ))}
    </ul>
  </div>
);
