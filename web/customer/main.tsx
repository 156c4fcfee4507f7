import './first-reads.ts';
import { start } from '../app/start.tsx';
import { router } from './routes.tsx';

void start(router);
