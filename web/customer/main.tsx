import { start } from '../ui/provide.tsx';
import { router } from './routes.tsx';

void start(router);
