import './first-reads.ts';
import { start } from '../app/start.tsx';
import { router } from './routes.tsx';
import './shell.css';
import './queue/tabs.css';
import './queue/queue.css';
import './queue/peek.css';
import './job/job.css';
import './office/figures.css';
import './office/office.css';

void start(router);
