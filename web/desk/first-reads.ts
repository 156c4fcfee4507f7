import { deskPages } from '../../contract/pages.ts';
import { startReads } from '../app/first-reads.ts';
import { frameReads } from './frame.reads.ts';
import { pageReads } from './reads.ts';

startReads(deskPages, pageReads, frameReads);
