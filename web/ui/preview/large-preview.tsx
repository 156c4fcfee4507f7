import { Box, Button, Flex, Skeleton } from '@mantine/core';
import { IconDownload } from '../look/icons.ts';
import { isPicture } from '../../../contract/files/file-types.ts';
import { Dialog } from '../dialog/dialog.tsx';
import { sayBytes } from '../upload/bytes.ts';
import { Failure } from '../page/page.tsx';
import { part } from '../page/part.tsx';
import { whyNotShown } from './file-words.ts';
import { kindOf, type Previewed, type PreviewedFile, shown, useText } from './previewed.ts';
import { usePicture } from './use-picture.ts';

export const LargePreview = ({ file, url, ...dialog }: Previewed & { opened: boolean; onClose: () => void }) => (
  <Dialog {...dialog} title={file.file_name} size="80rem">
    <Large file={file} url={url} />
  </Dialog>
);

const PdfStage = part(() => import('../review/pdf-stage.tsx'), 'PdfStage', <Skeleton height="70vh" />);
const noComments = { comments: [], selected: null, onSelect: () => {}, writing: null, onPlace: null };

const large = { display: 'block', maw: '100%', mah: '70vh', mx: 'auto' };

function Large({ file, url }: Previewed) {
  const isDrawn = Boolean(file.poster) && isPicture(file.content_type);
  const kind = isDrawn ? 'image' : kindOf(file);
  return (
    <div className="stack">
      {kind === 'image' && <LargePicture file={file} url={url} />}
      {kind === 'audio' && <audio src={url} controls preload="metadata" aria-label={file.file_name} />}
      {kind === 'video' && (
        <Box component="video" {...large} src={url} controls preload="metadata" aria-label={file.file_name} />
      )}
      {kind === 'pdf' && (
        <Flex h="70vh" bd="1px solid var(--line)" bdrs={7}>
          <PdfStage file={{ ...file, url, id: url, poster: file.poster ?? null }} {...noComments} />
        </Flex>
      )}
      {(kind === 'other' || kind === 'application') && <NotShown file={file} words={whyNotShown(file)} />}
      {kind === 'text' && <TextPreview url={url} whole={file.size_bytes <= shown.text} />}
      <div className="row between">
        <span className="second small">{sayBytes(file.size_bytes)}</span>
        <Button component="a" href={url} download={file.file_name} leftSection={<IconDownload size={16} />}>
          Download
        </Button>
      </div>
    </div>
  );
}

/** Its own pixels, or what is drawn of it, with words. */
function LargePicture({ file, url }: Previewed) {
  const { state, original, poster, words, ...picture } = usePicture(file, url);
  const why = {
    whole: '',
    loading: '',
    heavy: 'Download the file to see all of its pixels.',
    broken: 'This browser cannot show all of its pixels.',
    drawing: '',
  }[state];
  const shownUrl = original ?? poster;
  if (!shownUrl) return <NotShown file={file} words={why || whyNotShown(file)} />;
  const onLoad = ({ naturalWidth: width, naturalHeight: height }: HTMLImageElement) =>
    (original ? picture.onWhole : picture.onDrawn)({ width, height });
  return (
    <>
      <Box
        component="img"
        key={shownUrl}
        {...large}
        src={shownUrl}
        alt={file.file_name}
        onLoad={({ currentTarget }) => onLoad(currentTarget)}
        onError={original ? picture.onBroken : picture.onLost}
      />
      <span className="second small">{[words, why].filter(Boolean).join('. ')}</span>
    </>
  );
}

const NotShown = ({ file: { poster, file_name: name }, words }: { file: PreviewedFile; words: string }) => (
  <>
    {poster && <Box component="img" {...large} src={poster} alt={name} />}
    <p className="second">{words}</p>
  </>
);

function TextPreview({ url, whole }: { url: string; whole: boolean }) {
  const text = useText(url, url);
  if (text.error) return <Failure error={text.error} retry={() => void text.refetch()} />;
  if (text.data === undefined) return <Skeleton height={240} />;
  return (
    <>
      <div className="code text-preview">
        <pre tabIndex={0}>{text.data}</pre>
      </div>
      {!whole && <span className="second small">Only the beginning is shown. Download the file to see all of it.</span>}
    </>
  );
}
