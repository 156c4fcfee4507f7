import * as keeping from '../../contract/files/keeping.ts';
import * as library from '../../contract/files/library.ts';
import * as links from '../../contract/review/show-links.ts';
import { route } from '../http/handle.ts';
import { countLibrary } from './count-library.ts';
import { createLibraryArchive } from './create-library-archive.ts';
import { createShowLink } from './create-show-link.ts';
import { keepJobFiles } from './keep-job-files.ts';
import { listLibrary } from './list-library.ts';
import { listShowLinks } from './list-show-links.ts';
import { revokeShowLink } from './revoke-show-link.ts';

export const libraryRoutes = [
  route(listLibrary, library.listLibrary),
  route(countLibrary, library.countLibrary),
  route(createLibraryArchive, library.createLibraryArchive),
  route(keepJobFiles, keeping.keepJobFiles),
  route(listShowLinks, links.listShowLinks),
  route(createShowLink, links.createShowLink),
  route(revokeShowLink, links.revokeShowLink),
];
