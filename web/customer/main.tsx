import './first-reads.ts';
import { start } from '../app/start.tsx';
import { router } from './routes.tsx';
import './account/account-menu.css';
import './jobs/jobs.css';
import './ordering/ordering.css';
import './account/usage.css';
import './account/plans.css';
import './ordering/conversation.css';
import './ordering/chat.css';
import './ordering/conversation-brief.css';
import './account/settings.css';
import './developer/webhooks.css';

void start(router);
