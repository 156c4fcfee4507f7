import type { CatalogVersion } from '../../app/api.ts';

export const sayAuthor = ({ created_by: author }: Pick<CatalogVersion, 'created_by'>) => author?.name ?? 'from files';

export const VersionNote = ({ version: { note, republished_from: from } }: { version: CatalogVersion }) => (
  <span className="breaks">
    {from !== null && (
      <span className="second">
        again version {from}
        {note && ': '}
      </span>
    )}
    {note ?? (from === null && <span className="third">no note</span>)}
  </span>
);
