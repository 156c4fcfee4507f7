import { Box, SegmentedControl, Skeleton, UnstyledButton } from '@mantine/core';
import { IconLock } from '../../ui/look/icons.ts';
import { useCallback, useEffect, useState } from 'react';
import type { CatalogVersionDocuments } from '../../app/api.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { useAddress } from '../../ui/page/address.ts';
import { Forbidden, Loaded, PageHead } from '../../ui/page/page.tsx';
import { part } from '../../ui/page/part.tsx';
import { useShortcut } from '../../ui/shell/shortcuts.tsx';
import { roleReason, useMay } from '../may.ts';
import { Face } from './face.tsx';
import { Outdated } from './outdated.tsx';
import { PublishBar } from './publish-bar.tsx';
import { focusField, type Spot, type StudioAddress } from './spot.ts';
import { studioReads, versionRead } from './studio.reads.ts';
import { useCheck, useEdits } from './use-edits.ts';
import './studio.css';

const waiting = <Skeleton className="late" height={480} role="progressbar" aria-label="Loading" />;
const Catalog = part(() => import('./catalog.tsx'), 'Catalog', waiting);
const Versions = part(() => import('./versions.tsx'), 'Versions', waiting);

const Plans = part(() => import('./plans.tsx'), 'Plans', waiting, false);

const parts = { face: 'Face', catalog: 'Catalog', plans: 'Plans', versions: 'Versions' };
type PartName = keyof typeof parts;
const isPart = (name: string | undefined): name is PartName => name !== undefined && Object.hasOwn(parts, name);

/** The face and the catalog, which owners edit and publish as versions. */
export function Studio() {
  const newest = useRead(useReads(studioReads).newest);
  const number = newest.data?.catalog_versions[0]?.number;
  const version = useRead(number === undefined ? undefined : versionRead(number), {
    // Until the next version has arrived, the last one is shown.
    placeholderData: (shown) => shown,
  });
  return (
    <>
      <PageHead title="Studio" below="The face that customers see, and what they can order.">
        <span className="icon-line second small">
          <IconLock size={14} aria-hidden /> owners change it, others read
        </span>
      </PageHead>
      <StudioTabs />
      <Loaded query={newest.error && !newest.data ? newest : version} height={480}>
        {({ catalog_version: documents }) => <Parts newest={documents} isInFiles={newest.data?.in_files ?? false} />}
      </Loaded>
    </>
  );
}

function Parts({ newest, isInFiles }: { newest: CatalogVersionDocuments; isInFiles: boolean }) {
  const [{ part: name, version, view }, setAddress] = useAddress<StudioAddress>();
  const may = useMay();
  const inFiles = isInFiles
    ? 'This studio keeps its catalog in files (CATALOG=files), so nothing is published here.'
    : null;
  const ownEdits = useEdits(newest, inFiles ?? (may('manage_studio') ? null : roleReason('manage_studio')));
  const edits = { ...ownEdits, check: useCheck(ownEdits) };
  const [spot, setSpot] = useState<Spot | null>(null);
  /** Fields are shown in their form, unless somebody reads the text. */
  const goTo = (next: Spot) => {
    const isField = next.path && !(name === 'catalog' && view === 'yaml');
    if (isField && next.file === 'studio.yaml') setAddress({ part: undefined, file: undefined });
    else if (isField) setAddress({ part: 'catalog', file: undefined });
    else setAddress({ part: 'catalog', file: next.file, view: 'yaml' });
    setSpot(isField ? next : { ...next, path: null });
  };
  const seen = useCallback(() => setSpot(null), []);
  const isFace = name !== 'versions' && name !== 'catalog' && name !== 'plans';
  useEffect(() => {
    if (isFace && spot?.path && focusField(spot.path)) seen();
  }, [isFace, spot, seen]);
  return (
    <>
      {inFiles && (
        <Box mb={20}>
          <Forbidden>{inFiles}</Forbidden>
        </Box>
      )}
      {edits.isOutdated && name !== 'versions' && (
        <Box mb={20}>
          <Outdated edits={edits} />
        </Box>
      )}
      {name === 'versions' ? (
        <Versions edits={edits} number={version} />
      ) : name === 'catalog' ? (
        <Catalog edits={edits} spot={spot} goTo={goTo} onSpot={seen} />
      ) : name === 'plans' ? (
        <Plans edits={edits} />
      ) : (
        <Face edits={edits} bar={<PublishBar edits={edits} goTo={goTo} naming={() => 'Catalog'} />} />
      )}
    </>
  );
}

function StudioTabs() {
  const [{ part: name }] = useAddress<StudioAddress>();
  const present = isPart(name) ? name : 'face';
  return (
    <div className="tabs" style={{ marginBottom: 20, gap: 18 }}>
      <nav style={{ display: 'contents' }} aria-label="Parts of the studio">
        {Object.entries(parts).map(([part, label], index) => (
          <Tab key={part} part={part} label={label} keys={String(index + 1)} isPresent={part === present} />
        ))}
      </nav>
      {present === 'catalog' && <View />}
    </div>
  );
}

function View() {
  const [{ view = 'form' }, setAddress] = useAddress<StudioAddress>();
  return (
    <SegmentedControl
      className="push"
      style={{ alignSelf: 'center' }}
      size="xs"
      aria-label="How the catalog is edited"
      data={[
        { value: 'form', label: 'Form' },
        { value: 'yaml', label: 'YAML' },
      ]}
      value={view}
      onChange={(next) => setAddress({ view: next === 'form' ? undefined : next })}
    />
  );
}

function Tab({ part, label, keys, isPresent }: { part: string; label: string; keys: string; isPresent: boolean }) {
  const [, setAddress] = useAddress<StudioAddress>();
  const show = () =>
    setAddress(
      {
        part: part === 'face' ? undefined : part,
        file: undefined,
        version: undefined,
        view: undefined,
        service: undefined,
      },
      { replace: false },
    );
  useShortcut(keys, `Show: ${label}`, show);
  return (
    <UnstyledButton className="tab" aria-current={isPresent || undefined} onClick={show}>
      {label}
    </UnstyledButton>
  );
}
