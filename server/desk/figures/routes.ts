import * as exports from '../../../contract/desk/exports.ts';
import * as figures from '../../../contract/desk/figures.ts';
import * as money from '../../../contract/desk/money.ts';
import * as reports from '../../../contract/desk/reports.ts';
import { route } from '../../http/handle.ts';
import { countMoney } from './count-money.ts';
import { listReportRows } from './list-report-rows.ts';
import { readFigures } from './read-figures.ts';
import { readMoney } from './read-money.ts';
import { readReport } from './read-report.ts';
import { startExport } from './start-export.ts';

export const figureRoutes = [
  route(readFigures, figures.readFigures),
  route(readMoney, money.readMoney),
  route(countMoney, money.countMoney),
  route(listReportRows, reports.listReportRows),
  route(readReport, reports.readReport),
  route(startExport, exports.startExport),
];
