import type { JobBrand } from '../../app/api.ts';
import { BrandFacts } from '../../ui/job/brand-facts.tsx';
import { Panel } from '../../ui/page/page.tsx';
import { FileCard } from '../../ui/preview/preview.tsx';
import { deskFileUrl } from './send-deliverable.ts';

/** The customer's brand kit as it was when the job was ordered. */
export const BrandPanel = ({ brand: { facts, files } }: { brand: JobBrand }) => (
  <Panel title="Brand" beside={<span className="second small push">as it was when the job was ordered</span>}>
    <div className="stack">
      <BrandFacts facts={facts} />
      {files.length > 0 && (
        <div className="small-files">
          {files.map((file) => (
            <FileCard key={file.id} file={file} url={deskFileUrl(file.id)} />
          ))}
        </div>
      )}
    </div>
  </Panel>
);
