import { RouterProvider } from '@tanstack/react-router';
import { start } from '../ui/provide.tsx';
import { router } from './routes.tsx';
import './desk.css';

start(<RouterProvider router={router} />);
