import { type ComponentProps, useRef } from 'react';
import { brandBounds } from '../../../contract/ordering/brand-bounds.ts';
import { type Brand, type File, operationQuery, queryClient, useOperation } from '../../app/api.ts';
import { useAcceptedTypes } from '../../app/file-types.ts';
import { useReadOnlyReason } from '../../app/session/session.tsx';
import { Failure } from '../../ui/page/failure.tsx';
import { notify } from '../../ui/page/notify.ts';
import { Panel } from '../../ui/page/page.tsx';
import { FileTiles } from '../../ui/upload/file-tiles.tsx';
import { useUploads } from '../../ui/upload/uploads.ts';
import { downloadUrl } from '../jobs/job-story.ts';
import { sendReference } from '../ordering/send-file.ts';

export const KitFiles = (props: Pick<ComponentProps<typeof FileTiles<File>>, 'files' | 'onRemove' | 'upload'>) => (
  <FileTiles label="Files of the kit" urlOf={downloadUrl} {...props} />
);

/** Each upload and removal is saved at once. */
export function BrandFiles({ kit }: { kit: Brand }) {
  const readOnly = useReadOnlyReason();
  const accept = useAcceptedTypes();
  const { queue, remove, error } = useKitFiles();
  const count = kit.files.length;
  const full = count >= brandBounds.files ? `The kit has ${count} files, which is the most.` : null;
  return (
    <Panel title="Files" beside={<span className="second numbers push">{`${count} of ${brandBounds.files}`}</span>}>
      <div className="stack">
        <KitFiles files={kit.files} onRemove={remove} upload={{ queue, accept, reason: readOnly ?? full }} />
        {error && <Failure error={error} />}
        <p className="small second">Such as a logo, a font or a style guide. They are kept as long as they are here.</p>
      </div>
    </Panel>
  );
}

type Edit = (ids: string[]) => string[];

const kitKey = operationQuery('readBrand').queryKey;

/** Changes of the files, one after the other: uploads end in any order, and each PUT has the whole kit. */
function useKitFiles() {
  const replace = useOperation('replaceBrand');
  const turn = useRef(Promise.resolve());
  const save = async (before: Promise<void>, edit: Edit, onSaved: () => void) => {
    await before;
    const kit = queryClient.getQueryData(kitKey)?.brand;
    if (!kit) return;
    const body = { facts: kit.facts, file_ids: edit(kit.file_ids), version: kit.version };
    try {
      queryClient.setQueryData(kitKey, await replace.mutateAsync({ body }));
      onSaved();
    } catch {
      // The panel shows the error of the mutation.
      await queryClient.invalidateQueries({ queryKey: kitKey });
    }
  };
  const change = (edit: Edit, onSaved: () => void) => {
    turn.current = save(turn.current, edit, onSaved);
  };
  const queue = useUploads(sendReference, {
    onStored: ({ id }, upload) =>
      change(
        (ids) => [...ids, id],
        () => queue.forget(upload),
      ),
  });
  return {
    queue,
    error: replace.error,
    remove: ({ id, file_name: name }: File) =>
      change(
        (ids) => ids.filter((other) => other !== id),
        () => notify(`${name} has left the kit. It stays among your files until its retention ends.`),
      ),
  };
}
