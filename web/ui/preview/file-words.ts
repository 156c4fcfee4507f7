import { fileTypes, isPicture, isShown } from '../../../contract/files/file-types.ts';
import type { PreviewedFile } from './previewed.ts';

/** What opens files that no page shows, by the endings of their names. */
const programs: [endings: string, words: string][] = [
  ['psd psb', 'Open it in Adobe Photoshop, Affinity Photo or GIMP.'],
  ['ai svg eps ps', 'Open it in Adobe Illustrator, Affinity Designer or Inkscape.'],
  ['tif tiff avif heic heif jxl jp2 bmp', 'Open it in the photos app of your computer, Adobe Photoshop or GIMP.'],
  ['ico icns', 'Open it in the picture viewer of your computer or GIMP.'],
  ['dng cr2 cr3 nef arw raf', 'Open it in Adobe Lightroom, Affinity Photo or darktable.'],
  ['xcf', 'Open it in GIMP.'],
  ['indd idml', 'Open it in Adobe InDesign or Affinity Publisher.'],
  ['afdesign afphoto afpub', 'Open it in Affinity.'],
  ['sketch', 'Open it in Sketch or Figma.'],
  ['fig', 'Open it in Figma.'],
  ['xd', 'Open it in Adobe XD.'],
  ['aep', 'Open it in Adobe After Effects.'],
  ['blend', 'Open it in Blender.'],
  ['glb gltf obj fbx stl usdz', 'Open it in Blender or a viewer of 3D models.'],
  ['dwg dxf skp', 'Open it in AutoCAD, SketchUp or FreeCAD.'],
  ['docx docm doc odt rtf', 'Open it in Microsoft Word, Apple Pages or LibreOffice.'],
  ['xlsx xls ods', 'Open it in Microsoft Excel, Apple Numbers or LibreOffice.'],
  ['pptx ppt odp', 'Open it in Microsoft PowerPoint, Apple Keynote or LibreOffice.'],
  ['pages numbers key', 'Open it in the program of Apple with this name.'],
  ['epub', 'Open it in Apple Books, Thorium or calibre.'],
  ['ttf otf ttc woff woff2', 'Install the font, or open it in the font viewer of your computer.'],
  ['zip 7z rar', 'Unpack it to see what is in it.'],
  ['html htm', 'Open it in a browser.'],
  ['xml srt vtt icc', 'Open it in an editor of texts.'],
  ['avi mkv mxf m4v mov mp4 webm mpg mpeg m4a aac flac ogg oga opus aif aiff', 'Open it in VLC.'],
];

type Named = { file_name: string; content_type: string };

/** "Open it in Adobe Photoshop, Affinity Photo or GIMP."; empty for unknown endings. */
export function sayProgram({ file_name: name, content_type: type }: Named): string {
  const endings = [name.split('.').at(-1)?.toLowerCase(), isShown(type) && fileTypes[type]];
  return programs.find(([of]) => of.split(' ').some((ending) => endings.includes(ending)))?.[1] ?? '';
}

/** Which part of a file its drawing shows, by type. */
const parts: Record<string, string> = {
  'image/avif': 'first frame',
  'image/heic': 'first frame',
  'image/heif': 'first frame',
  'image/tiff': 'first page',
  'application/illustrator': 'first page',
};
export const partShown = ({ content_type: type }: Named): string => parts[type] ?? '';

/** What stands in place of a file that is not shown. */
export function whyNotShown(file: PreviewedFile): string {
  const { status, content_type, poster_status, viewing_copy } = file;
  if (status !== 'uploaded') return 'This file is no longer kept.';
  if (viewing_copy === 'pending') return 'No browser plays this kind of film. A copy for viewing is being made.';
  if (viewing_copy === 'failed') return `No copy for viewing could be made of this film. ${sayProgram(file)}`.trim();
  if (poster_status === 'pending') return 'The service is drawing this picture.';
  const isFailed = isPicture(content_type) && poster_status === 'failed';
  const reason = isFailed ? 'The service cannot draw this picture.' : 'This kind of file cannot be shown here.';
  return `${reason} ${sayProgram(file)}`.trim();
}
