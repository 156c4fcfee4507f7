export { FormDialog } from './dialog.tsx';
