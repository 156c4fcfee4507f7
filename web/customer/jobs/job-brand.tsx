import { read } from '../../app/reads.ts';
import { useSession } from '../../app/session/session.tsx';
import { useRead } from '../../app/use-reads.ts';
import { BrandFacts } from '../../ui/job/brand-facts.tsx';
import { sayKit } from '../../ui/job/words.ts';
import { FileFace } from '../../ui/thread/story-files.tsx';
import { sayBytes } from '../../ui/upload/bytes.ts';

/** The copy of the brand kit that the studio works from. Nothing if none went along. */
export function JobBrand({ job }: { job: string }) {
  const { role } = useSession();
  const brand = useRead(read('readJobBrand', { path: { id: job } }), { enabled: role !== 'reviewer' }).data?.brand;
  if (!brand) return null;
  return (
    <details className="small">
      <summary className="second">Your brand kit went along: {sayKit(brand)}</summary>
      <div className="stack-small" style={{ marginTop: 10 }}>
        <BrandFacts facts={brand.facts} />
        <ul className="stack-small" aria-label="Files of the brand kit">
          {brand.files.map((file) => (
            <li key={file.id} className="row">
              <FileFace file={file} />
              <bdi className="one-line">{file.file_name}</bdi>
              <span className="third push">{sayBytes(file.size_bytes)}</span>
            </li>
          ))}
        </ul>
        <p className="second">As it was when you ordered.</p>
      </div>
    </details>
  );
}
