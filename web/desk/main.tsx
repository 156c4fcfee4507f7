import { start } from '../ui/provide.tsx';
import { router } from './routes.tsx';
import './desk.css';

void start(router);
