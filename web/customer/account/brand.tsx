import { type ComponentProps, useRef } from 'react';
import { brandBounds } from '../../../contract/ordering/brand-bounds.ts';
import { type Brand as Kit, type File, operationQuery, queryClient, useOperation } from '../../app/api.ts';
import { useAcceptedTypes } from '../../app/file-types.ts';
import { useReadOnlyReason, useRoleReason } from '../../app/session/session.tsx';
import { useRead, useReads } from '../../app/use-reads.ts';
import { BrandFacts } from '../../ui/job/brand-facts.tsx';
import { Failure, Forbidden, Loaded, notify, PageHead } from '../../ui/page/page.tsx';
import { Section } from '../../ui/page/section.tsx';
import { FileTiles } from '../../ui/upload/file-tiles.tsx';
import { withChosen } from '../../ui/upload/chosen-order.ts';
import { useUploads } from '../../ui/upload/uploads.ts';
import { downloadUrl } from '../jobs/job-story.ts';
import { sendReference } from '../ordering/send-file.ts';
import { Empty } from '../../ui/list/list.tsx';
import { Time } from '../../ui/time/time.tsx';
import { pageReads } from '../reads.ts';
import { FactsForm } from './brand-form.tsx';

/** Milliseconds between two reads while a poster is rendered. */
const posterEvery = 2_000;

export function Brand() {
  const brand = useRead(useReads(pageReads.brand).brand, {
    refetchInterval: ({ state: { data } }) =>
      data?.brand.files.some(({ poster_status: poster }) => poster === 'pending') && posterEvery,
  });
  const forbidden = useRoleReason();
  return (
    <>
      <PageHead
        title="Brand"
        below="What the studio should know with every job. Each order takes a copy along unless you leave it out; earlier jobs keep theirs."
      />
      <Loaded query={brand}>
        {({ brand: kit }) => (
          <>
            {forbidden === null ? (
              <>
                <FactsForm kit={kit} />
                <BrandFiles kit={kit} />
              </>
            ) : (
              <>
                <Forbidden>{forbidden}</Forbidden>
                <ReadOnly kit={kit} />
              </>
            )}
            {kit.updated_at && (
              <p className="small second">
                Last changed <Time at={kit.updated_at} />
                {kit.updated_by && ` by ${kit.updated_by.name}`}.
              </p>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

const ReadOnly = ({ kit }: { kit: Kit }) =>
  kit.facts.length + kit.files.length === 0 ? (
    <Empty>Nothing is kept here yet: facts and files of your brand that go to the studio with every order.</Empty>
  ) : (
    <>
      {kit.facts.length > 0 && (
        <Section title="Facts">
          <BrandFacts facts={kit.facts} />
        </Section>
      )}
      {kit.files.length > 0 && (
        <Section title="Files">
          <KitFiles files={kit.files} />
        </Section>
      )}
    </>
  );

const KitFiles = (props: Pick<ComponentProps<typeof FileTiles<File>>, 'files' | 'onRemove' | 'upload'>) => (
  <FileTiles label="Files of the kit" urlOf={downloadUrl} {...props} />
);

/** Each upload and removal is saved at once. */
function BrandFiles({ kit }: { kit: Kit }) {
  const readOnly = useReadOnlyReason();
  const accept = useAcceptedTypes();
  const { queue, remove, error } = useKitFiles();
  const count = kit.files.length;
  const full = count >= brandBounds.files ? `The kit has ${count} files, which is the most.` : null;
  return (
    <Section
      title="Files"
      below={
        <>
          <p className="numbers">{`${count} of ${brandBounds.files}`}</p>
          <p>Such as a logo, a font or a style guide. They are kept as long as they are here.</p>
        </>
      }
    >
      <div className="stack">
        <KitFiles files={kit.files} onRemove={remove} upload={{ queue, accept, reason: readOnly ?? full }} />
        {error && <Failure error={error} />}
      </div>
    </Section>
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
  const change = (onSaved: () => void, edit: Edit) => {
    turn.current = save(turn.current, edit, onSaved);
  };
  const queue = useUploads(sendReference, {
    onStored: ({ id }, upload) =>
      change(
        () => queue.forget(upload),
        (ids) => withChosen(ids, id),
      ),
  });
  return {
    queue,
    error: replace.error,
    remove: ({ id, file_name: name }: File) =>
      change(
        () => notify(`${name} has left the kit. It stays among your files until its retention ends.`),
        (ids) => ids.filter((other) => other !== id),
      ),
  };
}
