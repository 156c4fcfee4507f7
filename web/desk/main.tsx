import './first-reads.ts';
import { start } from '../app/start.tsx';
import { router } from './routes.tsx';
import '../ui/form/inserts.css';
import '../ui/list/marks.css';
import './shell.css';
import './queue/queue.css';
import './job/job.css';

void start(router);
