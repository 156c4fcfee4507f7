import { Box } from '@mantine/core';
import { useState } from 'react';
import { useOperation } from '../../app/api.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { useAddress } from '../../ui/page/address.ts';
import { Failure } from '../../ui/page/failure.tsx';
import { type Edits, textFiles } from './edits.ts';
import { Editor } from './editor.tsx';
import { PictureList } from './picture-list.tsx';
import { Prices, Problems } from './problems.tsx';
import { PublishBar } from './publish-bar.tsx';
import type { Spot, StudioAddress } from './spot.ts';
import type { StudioEdits } from './use-edits.ts';

type Props = { edits: StudioEdits; spot: Spot | null; goTo: (spot: Spot) => void; onSpot: () => void };

const picturesTab = 'pictures';

/** The files of the catalog as text, and its pictures. */
export function Catalog({ edits, spot, goTo, onSpot }: Props) {
  const [{ file: fileInAddress }] = useAddress<StudioAddress>();
  const file =
    fileInAddress === picturesTab || textFiles.includes(fileInAddress ?? '') ? fileInAddress : 'families.yaml';
  const check = useCheck(edits);
  const problems = check.result?.problems ?? [];
  return (
    <section className="panel" aria-label="Files">
      <div className="panel-head">
        <FileChips present={file ?? ''} changed={edits.changed} />
        {edits.readOnly === null && (
          <span className="push">
            <ActionButton variant="default" keys="c" loading={check.isPending} onClick={check.run}>
              Check
            </ActionButton>
          </span>
        )}
      </div>
      {check.result && <CheckResult check={check} goTo={goTo} />}
      {check.error && <Failure error={check.error} />}
      {file === picturesTab ? (
        <PictureList edits={edits} />
      ) : (
        <Editor
          key={file}
          file={file ?? ''}
          text={edits.text(file ?? '')}
          readOnly={edits.readOnly !== null}
          wrongLines={problems.filter((problem) => problem.file === file).map(({ line }) => line ?? 1)}
          spot={spot?.file === file ? spot : null}
          onSpot={onSpot}
          onChange={(text) => edits.edit([file ?? '', { text }])}
        />
      )}
      <PublishBar edits={edits} goTo={goTo} />
    </section>
  );
}

/** What a check said, and of which edits. */
function useCheck({ documents, edits }: StudioEdits) {
  const check = useOperation('checkCatalog');
  const [checked, setChecked] = useState<Edits | null>(null);
  return {
    isPending: check.isPending,
    error: check.error,
    result: check.data?.catalog_check,
    isOld: checked !== edits,
    run: () => {
      setChecked(edits);
      check.mutate({ body: { documents } });
    },
  };
}

function CheckResult({ check: { result, isOld }, goTo }: { check: ReturnType<typeof useCheck>; goTo: Props['goTo'] }) {
  if (!result) return null;
  return (
    <Box className="stack-small" p="12px 16px" style={{ borderBottom: '1px solid var(--line)' }}>
      {result.problems.length > 0 ? (
        <Problems problems={result.problems} goTo={goTo} />
      ) : (
        <span className="good" role="status">
          No problems. This can be published.
        </span>
      )}
      <Prices prices={result.prices} />
      {isOld && <span className="small second">There are changes since this check.</span>}
    </Box>
  );
}

function FileChips({ present, changed }: { present: string; changed: string[] }) {
  const [, setAddress] = useAddress<StudioAddress>();
  const isPicture = (file: string) => !textFiles.includes(file);
  return (
    <nav className="chips" style={{ margin: 0, minWidth: 0, padding: '2px 0' }} aria-label="Files of the catalog">
      {[...textFiles.slice(1), 'studio.yaml', picturesTab].map((file) => (
        <button
          key={file}
          type="button"
          className="chip"
          aria-pressed={file === present}
          onClick={() => setAddress({ file }, { replace: false })}
        >
          {file === picturesTab ? 'Pictures' : file}
          {(file === picturesTab ? changed.some(isPicture) : changed.includes(file)) && <span>changed</span>}
        </button>
      ))}
    </nav>
  );
}
